#include "predict/sync_order.h"

#include <algorithm>
#include <utility>

namespace heddle {
namespace {

EventKind kindOf(const Event& event) { return static_cast<EventKind>(event.kind); }

bool isPlain(EventKind kind) {
  return kind == EventKind::Read || kind == EventKind::Write || kind == EventKind::Value ||
         kind == EventKind::Call || kind == EventKind::Return || kind == EventKind::Enter ||
         kind == EventKind::Frame || kind == EventKind::UnseenCall;
}

bool isSameOperation(const Event& one, const Event& other) {
  return one.thread == other.thread && one.kind == other.kind && one.address == other.address;
}

/// These always leave a second event that says how they ended.
bool alwaysTells(EventKind kind) { return kind == EventKind::MutexTryLock; }

} // namespace

void SyncOrder::add(const Event& event, SiteId caller) {
  EventKind kind = kindOf(event);
  if (pending_) {
    Event before = *pending_;
    pending_.reset();
    if (isSameOperation(before, event) && (outcomeOf(event) != 0 || alwaysTells(kind))) {
      commit(event, caller);
      return;
    }
    commit(before, pendingCaller_);
  }
  if (isPlain(kind))
    return;
  if (outcomeOf(event) != 0)
    return commit(event, caller);
  pending_ = event;
  pendingCaller_ = caller;
}

SyncOrder::ThreadState& SyncOrder::state(uint32_t thread) {
  while (thread >= threads_.size()) {
    auto index = static_cast<uint32_t>(threads_.size());
    ThreadState& added = threads_.emplace_back();
    added.clocks.must.set(index, 1); // nobody knows of it: they have 0
    added.clocks.tickSeen(index);
  }
  return threads_[thread];
}

/// The life of threads.
void SyncOrder::commitThread(const Event& event, bool done) {
  switch (kindOf(event)) {
  case EventKind::ThreadCreate:
    if (done && event.address != 0)
      tell(event.thread, created_[event.address]);
    break;
  case EventKind::ThreadStart:
    startThread(event);
    break;
  case EventKind::ThreadExit:
    endThread(event);
    break;
  case EventKind::ThreadJoin:
    if (done)
      joinThread(event);
    break;
  default:
    break;
  }
}

void SyncOrder::commitCondition(const Event& event, bool done) {
  switch (kindOf(event)) {
  case EventKind::CondWait:
    conditions_[event.address].wait(event.thread);
    break;
  case EventKind::CondSignal:
  case EventKind::CondBroadcast:
    notify(event);
    break;
  case EventKind::CondWake:
    wake(event, done);
    break;
  default:
    break;
  }
}

/// Atomics, and what they are forgotten by.
void SyncOrder::commitAtomic(const Event& event, SiteId caller) {
  switch (kindOf(event)) {
  case EventKind::AtomicRead:
  case EventKind::AtomicWrite:
  case EventKind::AtomicUpdate:
    if (event.address != 0)
      atomic(event, caller);
    break;
  case EventKind::Fence:
    atomics_.fence(event.thread, state(event.thread).clocks, orderOf(event));
    break;
  case EventKind::Allocate:
    atomics_.forget(event.address, lifetimeBytes(event));
    break;
  default:
    break;
  }
}

/// Through a descriptor, both ways.
void SyncOrder::passOn(const Event& event) {
  if (event.address == 0)
    return;
  takeOver(event.thread, handOver_[event.address]);
  handOver(event.thread, handOver_[event.address]);
}

void SyncOrder::commit(const Event& event, SiteId caller) {
  bool done = outcomeOf(event) == 0;
  switch (kindOf(event)) {
  case EventKind::MutexLock:
  case EventKind::MutexTryLock:
  case EventKind::WriteLock:
  case EventKind::SpinLock:
  case EventKind::ReadLock:
    if (done)
      lock(event, /*shared=*/kindOf(event) == EventKind::ReadLock);
    break;
  case EventKind::MutexUnlock:
  case EventKind::RwUnlock:
  case EventKind::SpinUnlock:
    unlock(event);
    break;
  case EventKind::ThreadCreate:
  case EventKind::ThreadStart:
  case EventKind::ThreadExit:
  case EventKind::ThreadJoin:
    commitThread(event, done);
    break;
  case EventKind::CondWait:
  case EventKind::CondSignal:
  case EventKind::CondBroadcast:
  case EventKind::CondWake:
    commitCondition(event, done);
    break;
  case EventKind::BarrierWait:
    passBarrier(event, done);
    break;
  case EventKind::SemPost:
  case EventKind::Release:
  case EventKind::OnceEnd:
  case EventKind::GuardRelease:
  case EventKind::FutexWake:
    tell(event.thread, messages_[event.address]);
    break;
  case EventKind::SemWait:
  case EventKind::Acquire:
  case EventKind::OnceBegin:
  case EventKind::GuardAcquire:
  case EventKind::FutexWait:
    if (done)
      hear(event.thread, messages_[event.address]);
    break;
  case EventKind::AtomicRead:
  case EventKind::AtomicWrite:
  case EventKind::AtomicUpdate:
  case EventKind::Fence:
  case EventKind::Allocate:
    commitAtomic(event, caller);
    break;
  case EventKind::Io:
    passOn(event);
    break;
  default:
    break;
  }
}

void SyncOrder::tell(uint32_t thread, Clocks& to) {
  Clocks& own = state(thread).clocks;
  to.join(own);
  own.must.tick(thread);
  own.tickSeen(thread);
}

void SyncOrder::hear(uint32_t thread, const Clocks& from) { state(thread).clocks.join(from); }

void SyncOrder::handOver(uint32_t thread, Clocks& to) {
  Clocks& own = state(thread).clocks;
  to.seen.join(own.seen);
  to.proper.join(own.proper);
  own.tickSeen(thread);
}

void SyncOrder::takeOver(uint32_t thread, const Clocks& from) {
  Clocks& own = state(thread).clocks;
  own.seen.join(from.seen);
  own.proper.join(from.proper);
}

void SyncOrder::atomic(const Event& event, SiteId caller) {
  EventKind kind = kindOf(event);
  Clocks& own = state(event.thread).clocks;
  AtomicOperation operation{static_cast<SiteId>(event.site), caller, orderOf(event),
                            kind == EventKind::AtomicUpdate};
  if (kind != EventKind::AtomicWrite)
    atomics_.read(event.thread, own, operation, event.address);
  if (isWrite(kind) && (event.result & kAccessFailed) == 0)
    atomics_.write(event.thread, own, operation, event.address);
}

void SyncOrder::lock(const Event& event, bool shared) {
  ThreadState& thread = state(event.thread);
  thread.held = lockSets_.add(thread.held, {event.address, shared});
  takeOver(event.thread, handOver_[event.address]);
}

void SyncOrder::unlock(const Event& event) {
  ThreadState& thread = state(event.thread);
  thread.held = lockSets_.remove(thread.held, event.address);
  handOver(event.thread, handOver_[event.address]);
}

void SyncOrder::startThread(const Event& event) {
  state(event.thread);
  auto creator = created_.find(event.address);
  if (creator == created_.end())
    return;
  hear(event.thread, creator->second);
  created_.erase(creator);
}

/// It does nothing any more, so what it knows is kept for who joins it, and nowhere else.
void SyncOrder::endThread(const Event& event) {
  tell(event.thread, finished_[event.address]);
  state(event.thread).clocks = {};
  atomics_.endThread(event.thread);
}

void SyncOrder::joinThread(const Event& event) {
  auto ended = finished_.find(event.address);
  if (ended == finished_.end())
    return;
  hear(event.thread, ended->second);
  finished_.erase(ended);
}

void SyncOrder::Condition::wait(uint32_t thread) {
  waiters_[thread] = forgotten_ + notifications_.size();
}

void SyncOrder::Condition::notify(Clocks clocks) {
  if (!waiters_.empty())
    notifications_.push_back(std::move(clocks));
}

void SyncOrder::Condition::leave(uint32_t thread) {
  waiters_.erase(thread);
  uint64_t needed = forgotten_ + notifications_.size();
  for (const auto& [waiter, since] : waiters_)
    needed = std::min(needed, since);
  for (; forgotten_ < needed; ++forgotten_)
    notifications_.pop_front();
}

void SyncOrder::notify(const Event& event) {
  Clocks clocks;
  tell(event.thread, clocks);
  conditions_[event.address].notify(std::move(clocks));
}

/// Which notification woke it is not recorded: it is one that came while it waited.
void SyncOrder::wake(const Event& event, bool notified) {
  Condition& condition = conditions_[event.address];
  if (notified)
    condition.forEachSince(event.thread, [&](const Clocks& told) { hear(event.thread, told); });
  condition.leave(event.thread);
}

/// An arrival is followed by EBUSY, except that of the last thread; who has waited leaves with
/// another event.
void SyncOrder::passBarrier(const Event& event, bool arrivesOrLeaves) {
  Barrier& barrier = barriers_[event.address];
  ThreadState& thread = state(event.thread);
  uint64_t& waitsFor = thread.waitsForBarrier;
  if (!arrivesOrLeaves) {
    tell(event.thread, barrier.arriving);
    waitsFor = event.address;
    return;
  }
  if (waitsFor != event.address) { // the last one
    tell(event.thread, barrier.arriving);
    hear(event.thread, barrier.arriving);
    barrier.completed = std::move(barrier.arriving);
    barrier.arriving = {};
    return;
  }
  waitsFor = 0;
  hear(event.thread, barrier.completed);
}

} // namespace heddle
