#pragma once

/// Spin locks, by glibc's own trylock. A thread that would spin waits instead, so that one which
/// spins for ever is seen as a deadlock. Interposes pthread_spin_lock, _trylock and _unlock.
