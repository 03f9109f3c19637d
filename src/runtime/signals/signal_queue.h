#pragma once

#include "runtime/core/scheduler.h"

#include <signal.h>

/// Pending signals. One that is for the whole process has no target; real-time signals queue, the
/// others are pending once.
namespace heddle::rt {

inline constexpr int kSignals = 65; ///< numbers 1 .. 64

constexpr uint64_t signalBit(int signal) { return 1ull << (signal - 1); }
inline uint64_t maskBits(const sigset_t* set) {
  uint64_t bits;
  __builtin_memcpy(&bits, set, sizeof bits);
  return bits;
}

struct PendingSignal {
  int signal;
  Fiber* target; ///< null: any thread
  siginfo_t info;
  PendingSignal* next;
};

void queueSignal(int signal, Fiber* target, const siginfo_t& info);
/// Removes and returns the first that `fiber` may take of `set`, lowest number first; false if
/// there is none.
bool takeSignal(Fiber* fiber, uint64_t set, siginfo_t& info);
/// Those that `fiber` may take, as bits.
uint64_t pendingFor(const Fiber* fiber);
/// The process's own, oldest first.
PendingSignal* firstForProcess();
PendingSignal* nextForProcess(PendingSignal* signal);
void dropSignal(PendingSignal* signal);
/// SIG_IGN drops what is pending.
void dropSignals(int signal);

} // namespace heddle::rt
