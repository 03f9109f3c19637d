#pragma once

#include <stddef.h>

/// The program's sources of randomness give the same stream in every run, whatever the seed of
/// the schedule: the schedule alone decides what a program does.
namespace heddle::rt {

void fillRandom(void* buffer, size_t bytes);
/// Whether this path names a random device.
bool isRandomDevice(const char* path);

} // namespace heddle::rt
