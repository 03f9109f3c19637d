#pragma once

/// Barriers, modelled on glibc's object: pthread_barrier_init checks and stores the count, the
/// model counts arrivals in the field that glibc has for them. The last thread to arrive gets
/// PTHREAD_BARRIER_SERIAL_THREAD, as in glibc. Interposes pthread_barrier_wait and _destroy.
