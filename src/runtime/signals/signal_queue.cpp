#include "runtime/signals/signal_queue.h"

#include "runtime/base/arena.h"

namespace heddle::rt {

namespace {

PendingSignal* pending = nullptr; ///< oldest first
PendingSignal* unused = nullptr;

constexpr int kFirstRealTime = 34; // below are libc's own

bool isQueued(int signal, const Fiber* target) {
  for (PendingSignal* p = pending; p; p = p->next)
    if (p->signal == signal && p->target == target)
      return true;
  return false;
}

PendingSignal* skipTo(PendingSignal* p) {
  while (p && p->target)
    p = p->next;
  return p;
}

} // namespace

void queueSignal(int signal, Fiber* target, const siginfo_t& info) {
  if (signal < kFirstRealTime && isQueued(signal, target))
    return;
  PendingSignal* entry = unused;
  if (entry)
    unused = entry->next;
  else
    entry = static_cast<PendingSignal*>(runAllocate(sizeof(PendingSignal)));
  *entry = {signal, target, info, nullptr};
  PendingSignal** link = &pending;
  while (*link)
    link = &(*link)->next;
  *link = entry;
}

bool takeSignal(Fiber* fiber, uint64_t set, siginfo_t& info) {
  PendingSignal* best = nullptr;
  for (PendingSignal* p = pending; p; p = p->next)
    if ((!p->target || p->target == fiber) && (set & signalBit(p->signal)))
      if (!best || p->signal < best->signal)
        best = p;
  if (!best)
    return false;
  info = best->info;
  dropSignal(best);
  return true;
}

uint64_t pendingFor(const Fiber* fiber) {
  uint64_t bits = 0;
  for (PendingSignal* p = pending; p; p = p->next)
    if (!p->target || p->target == fiber)
      bits |= signalBit(p->signal);
  return bits;
}

PendingSignal* firstForProcess() { return skipTo(pending); }
PendingSignal* nextForProcess(PendingSignal* signal) { return skipTo(signal->next); }

void dropSignal(PendingSignal* signal) {
  for (PendingSignal** link = &pending; *link; link = &(*link)->next) {
    if (*link != signal)
      continue;
    *link = signal->next;
    signal->next = unused;
    unused = signal;
    return;
  }
}

void dropSignals(int signal) {
  for (PendingSignal* p = pending; p;) {
    PendingSignal* next = p->next;
    if (p->signal == signal)
      dropSignal(p);
    p = next;
  }
}

} // namespace heddle::rt
