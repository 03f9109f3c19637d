#pragma once

#include "runtime/time/timeout.h"

#include <pthread.h>

/// Mutexes. Their state is glibc's: the real trylock and unlock run under the fiber's TLS, so that
/// every type (normal, recursive, error-checking, adaptive, robust, priority-inheriting) behaves
/// as it does without heddle; only waiting is the model's.
namespace heddle::rt {

/// Locks, waiting as long as the timeout allows; no scheduling point before the first attempt.
int acquireMutex(pthread_mutex_t* mutex, const Timeout& timeout);
/// Unlocks and lets the waiters compete; no scheduling point.
int releaseMutex(pthread_mutex_t* mutex);

/// The running fiber ends: robust mutexes that it still holds get the state "owner died".
void abandonRobustMutexes();

/// The id under which glibc knows the running fiber as an owner of locks.
int ownerId();

} // namespace heddle::rt
