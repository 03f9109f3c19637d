#pragma once

/// POSIX semaphores. The value is glibc's, changed by the real sem_trywait and sem_post; waiting is
/// the model's. Waiters compete for a post, as they do in glibc. Named semaphores work while only
/// this process uses them. Interposes sem_wait, _timedwait, _clockwait, _trywait and _post.
