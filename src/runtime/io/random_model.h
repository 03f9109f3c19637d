#pragma once

#include <stddef.h>

/// The program's sources of randomness give the same stream in every run, whatever the seed of
/// the schedule: the schedule alone decides what a program does. Each thread has a stream of its
/// own, because who asks first is in no schedule.
///
/// rand and its like are not among them: their numbers follow from srand, and programs may rely
/// on it. That several threads draw from them is noted (kResultUnordered).
namespace heddle::rt {

void fillRandom(void* buffer, size_t bytes);
/// Whether this path names a random device.
bool isRandomDevice(const char* path);

} // namespace heddle::rt
