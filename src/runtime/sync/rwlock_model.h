#pragma once

/// Read-write locks, by glibc's own try functions as with mutexes. Readers and writers wait in
/// queues of their own. PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP holds readers back while a
/// writer waits; the other kinds prefer readers, as in glibc. Interposes pthread_rwlock_rdlock,
/// _wrlock, their try, timed and clock variants, and _unlock.
