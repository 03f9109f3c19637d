#pragma once

#include <stdint.h>

/// What the kernel knows of the process that no restore of memory puts back, and that code without
/// hooks may change by a system call of its own: users and groups, capabilities, seccomp, limits,
/// processors, locked memory, umask, working directory.
namespace heddle::rt {

uint64_t processStateHash();

} // namespace heddle::rt
