#pragma once

/// Thread-specific data. Values live where glibc keeps them, in the fiber's own descriptor, so that
/// pthread_getspecific and pthread_setspecific (and C11's tss_get and tss_set) are not replaced.
/// The model remembers destructors, because glibc does not see a fiber end. Interposes
/// pthread_key_create and pthread_key_delete.
namespace heddle::rt {

/// Destructors of the running thread's values, in rounds as POSIX has them, in order of key.
void runKeyDestructors();

} // namespace heddle::rt
