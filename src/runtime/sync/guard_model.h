#pragma once

/// Static locals of functions. The guard word has libstdc++'s values: the first byte says that the
/// object is there (compiled code reads it), the second that somebody makes it. Interposes
/// __cxa_guard_acquire, __cxa_guard_release and __cxa_guard_abort.
