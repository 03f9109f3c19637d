#pragma once

/// pthread_once. The control word has glibc's values, so that a child of fork() goes on with it.
/// Interposes pthread_once; C11's call_once calls it.

#ifdef __cplusplus
extern "C" {
#endif

/// Calls the routine. When it leaves by an exception, pthread_exit or cancellation, calls
/// abandon(context) on the way. In C, compiled with -fexceptions, because the runtime's C++ has no
/// exceptions and a C program no C++ personality routine.
__attribute__((visibility("hidden"))) void
heddleCallOrAbandon(void (*routine)(void), void (*abandon)(void*), void* context);

#ifdef __cplusplus
}
#endif
