#pragma once

/// System calls by number: what blocks, tells time or names threads goes to the models, by way of
/// the function that the program would otherwise have called; the rest goes to the kernel. Libc's
/// syscall() comes here, and instructions that are dispatched (dispatched_calls.h).
namespace heddle::rt {

/// With six arguments. Returns what libc would: -1 and errno for an error.
long modelSystemCall(long number, const long* arguments);

} // namespace heddle::rt
