#include "sync_state.h"

#include <iterator>

namespace heddle::explore {

namespace {

using Kind = OperationKind;

/// What a notification writes for one waiter, which reads it when it wakes.
uint64_t tokenOf(uint64_t condition, ThreadNumber waiter) {
  return mix(mix(condition, 0x746f6b656e), waiter);
}

uint64_t objectOf(ThreadNumber thread) { return mix(0x746872656164, thread); }

/// Whether a once flag is done: what a mere look at it reads.
uint64_t doneOf(uint64_t once) { return mix(once, 0x646f6e65); }

/// Those who wait for a word to change.
uint64_t waitersOf(uint64_t word) { return mix(word, 0x77616974); }

/// One round of a barrier: arrivals add to it or write it, and all who leave read it.
uint64_t roundOf(uint64_t barrier, int64_t round) {
  return mix(mix(barrier, 0x726f756e64), static_cast<uint64_t>(round));
}

SyncAccesses one(uint64_t object, AccessMode mode) { return {{object, mode}}; }

} // namespace

bool SyncState::isFree(uint64_t mutex) const {
  auto found = mutexes_.find(mutex);
  return found == mutexes_.end() || (!found->second.owned && found->second.readers == 0);
}

bool SyncState::isExclusive(uint64_t mutex) const {
  auto found = mutexes_.find(mutex);
  return found != mutexes_.end() && found->second.owned;
}

/// Of a semaphore what is left, of a latch what is missing, of a barrier how many have arrived.
int64_t SyncState::count(const Operation& operation) const {
  auto found = counters_.find(operation.object);
  int64_t change = found == counters_.end() ? 0 : found->second;
  bool fromArgument =
      operation.kind != Kind::BarrierArrive && operation.kind != Kind::BarrierDepart;
  return change + (fromArgument ? operation.argument : 0);
}

std::vector<ThreadNumber> SyncState::taken(const Operation& notify) const {
  auto found = waiters_.find(notify.object);
  if (found == waiters_.end() || found->second.empty())
    return {};
  const auto& waiting = found->second;
  if (notify.kind == Kind::NotifyAll)
    return {waiting.begin(), waiting.end()};
  return {*std::next(waiting.begin(), notify.choice % waiting.size())};
}

uint32_t SyncState::choices(const Operation& operation) const {
  auto found = waiters_.find(operation.object);
  if (operation.kind != Kind::NotifyOne || found == waiters_.end() || found->second.empty())
    return 1;
  return static_cast<uint32_t>(found->second.size());
}

uint64_t SyncState::wordBefore(const Operation& operation) const {
  auto found = words_.find(operation.object);
  return found == words_.end() ? operation.argument : found->second;
}

bool SyncState::enabled(const Operation& operation) const {
  switch (operation.kind) {
  case Kind::Acquire:
    return isFree(operation.object);
  case Kind::AcquireShared:
    return !isExclusive(operation.object);
  case Kind::Wake:
    return notified_.contains({operation.object, operation.thread}) && isFree(operation.second);
  case Kind::WordResume:
    return notified_.contains({operation.object, operation.thread});
  case Kind::SemaphoreWait:
    return count(operation) > 0;
  case Kind::BarrierDepart: {
    auto found = arrivals_.find({operation.object, operation.thread});
    int64_t expected = operation.argument;
    return found != arrivals_.end() &&
           count(operation) >= ((found->second - 1) / expected + 1) * expected;
  }
  case Kind::LatchWait:
    return count(operation) <= 0;
  case Kind::OnceBegin: {
    auto found = onces_.find(operation.object);
    return found == onces_.end() || found->second != OnceState::Running;
  }
  case Kind::Join:
    return ended_.contains(operation.argument);
  case Kind::Read:
  case Kind::Write:
  case Kind::Update:
  case Kind::CompareExchange:
  case Kind::Free:
  case Kind::TryAcquire:
  case Kind::Release:
  case Kind::TryAcquireShared:
  case Kind::ReleaseShared:
  case Kind::Wait:
  case Kind::NotifyOne:
  case Kind::NotifyAll:
  case Kind::SemaphoreTryWait:
  case Kind::SemaphorePost:
  case Kind::BarrierArrive:
  case Kind::LatchCountDown:
  case Kind::LatchTryWait:
  case Kind::OnceEnd:
  case Kind::OnceCheck:
  case Kind::OnceAbandon:
  case Kind::LoadWord:
  case Kind::StoreWord:
  case Kind::UpdateWord:
  case Kind::CompareExchangeWord:
  case Kind::WordWait:
  case Kind::Spawn:
  case Kind::Exit:
  case Kind::Fail:
    return true;
  }
  return true;
}

SyncAccesses SyncState::lockAccesses(const Operation& operation) const {
  uint64_t mutex = operation.object;
  switch (operation.kind) {
  case Kind::TryAcquire:
    return one(mutex, isFree(mutex) ? AccessMode::Write : AccessMode::Read);
  case Kind::TryAcquireShared:
    return one(mutex, isExclusive(mutex) ? AccessMode::Read : AccessMode::Add);
  case Kind::AcquireShared:
  case Kind::ReleaseShared:
    return one(mutex, AccessMode::Add);
  default:
    return one(mutex, AccessMode::Write);
  }
}

uint64_t SyncState::otherObject(const Operation& operation) {
  return operation.kind == Kind::WordWait ? waitersOf(operation.object) : 0;
}

SyncAccesses SyncState::wordAccesses(const Operation& operation) const {
  uint64_t word = operation.object;
  bool isEqual = wordBefore(operation) == operation.expected;
  switch (operation.kind) {
  case Kind::LoadWord:
    return one(word, AccessMode::Read);
  case Kind::CompareExchangeWord:
    return one(word, isEqual ? AccessMode::Write : AccessMode::Read);
  case Kind::WordWait:
    if (!isEqual)
      return one(word, AccessMode::Read);
    return {{word, AccessMode::Read}, {waitersOf(word), AccessMode::Add}};
  default:
    return one(word, AccessMode::Write);
  }
}

/// Arrivals commute where no more threads use the barrier than it expects, and who comes last does
/// not learn it: then the round of an arrival follows from its thread alone.
SyncAccesses SyncState::arrivalAccesses(const Operation& operation) const {
  uint64_t round = roundOf(operation.object, count(operation) / operation.argument);
  if (!operation.isOrdered)
    return one(round, AccessMode::Add);
  return {{operation.object, AccessMode::Write}, {round, AccessMode::Write}};
}

SyncAccesses SyncState::notifyAccesses(const Operation& operation) const {
  auto waiters = taken(operation);
  uint64_t waiting = operation.isOnWord ? waitersOf(operation.object) : operation.object;
  if (waiters.empty())
    return one(waiting, AccessMode::Read);
  auto accesses = one(waiting, AccessMode::Write);
  for (ThreadNumber waiter : waiters)
    accesses.push_back({tokenOf(operation.object, waiter), AccessMode::Write});
  return accesses;
}

/// Semaphores, latches and barriers.
SyncAccesses SyncState::counterAccesses(const Operation& operation) const {
  uint64_t object = operation.object;
  switch (operation.kind) {
  case Kind::SemaphoreWait:
    return one(object, AccessMode::Write);
  case Kind::SemaphoreTryWait:
    return one(object, count(operation) > 0 ? AccessMode::Write : AccessMode::Read);
  case Kind::SemaphorePost:
  case Kind::LatchCountDown:
    return one(object, AccessMode::Add);
  case Kind::LatchWait:
  case Kind::LatchTryWait:
    return one(object, AccessMode::Read);
  case Kind::BarrierArrive:
    return arrivalAccesses(operation);
  case Kind::BarrierDepart: {
    auto found = arrivals_.find({object, operation.thread});
    int64_t arrived = found == arrivals_.end() ? 1 : found->second;
    return one(roundOf(object, (arrived - 1) / operation.argument), AccessMode::Read);
  }
  default:
    return {};
  }
}

SyncAccesses SyncState::onceAccesses(const Operation& operation) const {
  uint64_t object = operation.object;
  switch (operation.kind) {
  case Kind::OnceBegin: {
    auto found = onces_.find(object);
    bool done = found != onces_.end() && found->second == OnceState::Done;
    return one(object, done ? AccessMode::Read : AccessMode::Write);
  }
  case Kind::OnceEnd:
    return {{object, AccessMode::Write}, {doneOf(object), AccessMode::Write}};
  case Kind::OnceCheck:
    return one(doneOf(object), AccessMode::Read);
  default:
    return one(object, AccessMode::Write);
  }
}

SyncAccesses SyncState::accesses(const Operation& operation) const {
  uint64_t object = operation.object;
  switch (operation.kind) {
  case Kind::Read:
  case Kind::Write:
  case Kind::Update:
  case Kind::CompareExchange:
  case Kind::Free:
  case Kind::Fail:
    return {};
  case Kind::Acquire:
  case Kind::TryAcquire:
  case Kind::Release:
  case Kind::AcquireShared:
  case Kind::TryAcquireShared:
  case Kind::ReleaseShared:
    return lockAccesses(operation);
  case Kind::Wait:
    return {{operation.second, AccessMode::Write}, {object, AccessMode::Add}};
  case Kind::Wake:
    return {{operation.second, AccessMode::Write},
            {tokenOf(object, operation.thread), AccessMode::Read}};
  case Kind::NotifyOne:
  case Kind::NotifyAll:
    return notifyAccesses(operation);
  case Kind::OnceBegin:
  case Kind::OnceEnd:
  case Kind::OnceAbandon:
  case Kind::OnceCheck:
    return onceAccesses(operation);
  case Kind::LoadWord:
  case Kind::StoreWord:
  case Kind::UpdateWord:
  case Kind::CompareExchangeWord:
  case Kind::WordWait:
    return wordAccesses(operation);
  case Kind::WordResume:
    return one(tokenOf(object, operation.thread), AccessMode::Read);
  case Kind::SemaphoreWait:
  case Kind::SemaphoreTryWait:
  case Kind::SemaphorePost:
  case Kind::LatchCountDown:
  case Kind::LatchWait:
  case Kind::LatchTryWait:
  case Kind::BarrierArrive:
  case Kind::BarrierDepart:
    return counterAccesses(operation);
  case Kind::Spawn:
  case Kind::Join:
    return one(objectOf(operation.argument),
               operation.kind == Kind::Join ? AccessMode::Read : AccessMode::Write);
  case Kind::Exit:
    return one(objectOf(operation.thread), AccessMode::Write);
  }
  return {};
}

void SyncState::takeLock(const Operation& operation) {
  uint64_t object = operation.object;
  switch (operation.kind) {
  case Kind::Acquire:
    mutexes_[object].owned = true;
    break;
  case Kind::TryAcquire:
    if (isFree(object))
      mutexes_[object].owned = true;
    break;
  case Kind::Release:
    mutexes_[object].owned = false;
    break;
  case Kind::TryAcquireShared:
    if (!isExclusive(object))
      ++mutexes_[object].readers;
    break;
  case Kind::AcquireShared:
    ++mutexes_[object].readers;
    break;
  case Kind::ReleaseShared:
    --mutexes_[object].readers;
    break;
  default:
    break;
  }
}

void SyncState::takeCount(const Operation& operation) {
  uint64_t object = operation.object;
  switch (operation.kind) {
  case Kind::SemaphoreTryWait:
    if (count(operation) > 0)
      --counters_[object];
    break;
  case Kind::SemaphoreWait:
  case Kind::LatchCountDown:
    --counters_[object];
    break;
  case Kind::SemaphorePost:
    ++counters_[object];
    break;
  case Kind::BarrierArrive:
    arrivals_[{object, operation.thread}] = ++counters_[object];
    break;
  default:
    break;
  }
}

void SyncState::takeWord(const Operation& operation) {
  uint64_t object = operation.object;
  switch (operation.kind) {
  case Kind::StoreWord:
  case Kind::UpdateWord:
    words_[object] = operation.value;
    break;
  case Kind::CompareExchangeWord:
    if (wordBefore(operation) == operation.expected)
      words_[object] = operation.value;
    break;
  case Kind::WordWait:
    if (wordBefore(operation) == operation.expected)
      waiters_[object].insert(operation.thread);
    break;
  case Kind::WordResume:
    notified_.erase({object, operation.thread});
    break;
  default:
    break;
  }
}

void SyncState::takeWait(const Operation& operation) {
  uint64_t object = operation.object;
  switch (operation.kind) {
  case Kind::Wait:
    mutexes_[operation.second].owned = false;
    waiters_[object].insert(operation.thread);
    break;
  case Kind::Wake:
    mutexes_[operation.second].owned = true;
    notified_.erase({object, operation.thread});
    break;
  case Kind::NotifyOne:
  case Kind::NotifyAll:
    for (ThreadNumber waiter : taken(operation)) {
      waiters_[object].erase(waiter);
      notified_.insert({object, waiter});
    }
    break;
  default:
    break;
  }
}

void SyncState::takeOnce(const Operation& operation) {
  uint64_t object = operation.object;
  switch (operation.kind) {
  case Kind::OnceBegin: {
    OnceState& state = onces_[object];
    state = state == OnceState::Done ? OnceState::Done : OnceState::Running;
    break;
  }
  case Kind::OnceEnd:
    onces_[object] = OnceState::Done;
    break;
  case Kind::OnceAbandon:
    onces_[object] = OnceState::Fresh;
    break;
  default:
    break;
  }
}

void SyncState::take(const Operation& operation) {
  switch (operation.kind) {
  case Kind::Acquire:
  case Kind::TryAcquire:
  case Kind::Release:
  case Kind::AcquireShared:
  case Kind::TryAcquireShared:
  case Kind::ReleaseShared:
    takeLock(operation);
    break;
  case Kind::Wait:
  case Kind::Wake:
  case Kind::NotifyOne:
  case Kind::NotifyAll:
    takeWait(operation);
    break;
  case Kind::SemaphoreTryWait:
  case Kind::SemaphoreWait:
  case Kind::SemaphorePost:
  case Kind::LatchCountDown:
  case Kind::BarrierArrive:
    takeCount(operation);
    break;
  case Kind::OnceBegin:
  case Kind::OnceEnd:
  case Kind::OnceAbandon:
    takeOnce(operation);
    break;
  case Kind::StoreWord:
  case Kind::UpdateWord:
  case Kind::CompareExchangeWord:
  case Kind::WordWait:
  case Kind::WordResume:
    takeWord(operation);
    break;
  case Kind::Exit:
    ended_.insert(operation.thread);
    break;
  case Kind::Read:
  case Kind::Write:
  case Kind::Update:
  case Kind::CompareExchange:
  case Kind::Free:
  case Kind::BarrierDepart:
  case Kind::LatchWait:
  case Kind::LatchTryWait:
  case Kind::OnceCheck:
  case Kind::LoadWord:
  case Kind::Spawn:
  case Kind::Join:
  case Kind::Fail:
    break;
  }
}

} // namespace heddle::explore
