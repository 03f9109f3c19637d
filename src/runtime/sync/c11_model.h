#pragma once

/// C11 threads: the same models under their C11 names and return codes. Interposes thrd_create,
/// _join, _detach, _exit, _sleep, _yield, mtx_lock, _trylock, _timedlock, _unlock, cnd_wait,
/// _timedwait, _signal, _broadcast, _destroy, call_once, tss_create and tss_delete. The others
/// (thrd_current, mtx_init, tss_get ...) are glibc's.
