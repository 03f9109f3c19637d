#pragma once

#include <stdint.h>

/// Futexes: std::atomic::wait, latches, C++20 barriers and semaphores, futures, and libraries that
/// call the kernel. Interposes syscall(), through which they come; a futex that a library issues
/// by its own instruction can be handed to modelFutex too.
namespace heddle::rt {

/// The futex system call with its six arguments. Returns what the kernel would: a count, or a
/// negative error number.
long modelFutex(uint32_t* word, int operation, uint32_t value, uintptr_t timeoutOrCount,
                uint32_t* second, uint32_t third);

} // namespace heddle::rt
