#pragma once

#include <stdint.h>

/// Futexes: std::atomic::wait, latches, C++20 barriers and semaphores, futures, and libraries that
/// call the kernel, through syscall() (system_call_model.h) or by an instruction of their own
/// (dispatched_calls.h).
namespace heddle::rt {

/// The futex system call with its six arguments. Returns what the kernel would: a count, or a
/// negative error number.
long modelFutex(uint32_t* word, int operation, uint32_t value, uintptr_t timeoutOrCount,
                uint32_t* second, uint32_t third);

} // namespace heddle::rt
