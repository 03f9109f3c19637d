#pragma once

/// Condition variables, modelled wholly: waiters stand in the scheduler's queue, a signal takes the
/// one that the strategy chooses, and time is virtual. Of glibc's state only the clock, which
/// pthread_cond_init keeps there, is read. Interposes pthread_cond_wait, _timedwait, _clockwait,
/// _signal, _broadcast and _destroy; the rules are in condition_model.cpp.
