#include "describe/missed_wakeup.h"

#include "describe/wait_circle.h"

#include <algorithm>
#include <map>

namespace heddle {
namespace {

bool isCondition(EventKind kind) {
  return kind == EventKind::CondSignal || kind == EventKind::CondBroadcast;
}

/// What one thread of a deadlock has missed.
class Search {
public:
  Search(const std::vector<Operation>& operations, const RunRecord& record)
      : operations_(operations), record_(record) {}

  std::optional<MissedWakeup> of(unsigned thread) const {
    const ThreadDetail& detail = record_.threads[thread];
    if (detail.state != ThreadState::Blocked || detail.wait != WaitKind::Condition)
      return std::nullopt;
    auto wait = lastWait(thread);
    if (!wait)
      return std::nullopt;
    if (auto early = notifiedTooEarly(*wait))
      return early;
    return anotherWoken(*wait);
  }

private:
  std::optional<size_t> lastWait(unsigned thread) const {
    for (size_t i = operations_.size(); i > 0; --i)
      if (operations_[i - 1].thread == thread && operations_[i - 1].kind == EventKind::CondWait)
        return i - 1;
    return std::nullopt;
  }

  bool notifies(const Operation& operation, const Operation& wait) const {
    return isCondition(operation.kind) && operation.address == wait.address &&
           operation.thread != wait.thread;
  }

  /// Between the waiter's last look at what it waits for and its wait somebody changed that, and
  /// notified. The look is in the critical section of the wait, or right before it.
  std::optional<MissedWakeup> notifiedTooEarly(size_t wait) const {
    const Operation& waits = operations_[wait];
    std::map<uint64_t, size_t> changes; // the last one by granule
    std::optional<size_t> notify;
    bool looked = false;
    for (size_t i = wait; i > 0; --i) {
      const Operation& operation = operations_[i - 1];
      bool mine = operation.thread == waits.thread;
      if (notifies(operation, waits) && !notify)
        notify = i - 1;
      if (mine && looked && isSync(operation.kind))
        break; // what it saw before was for something else
      if (isSync(operation.kind) || operation.address == 0)
        continue;
      if (!mine && isWrite(operation.kind))
        changes.try_emplace(granule(operation.address), i - 1);
      if (!mine || isWrite(operation.kind))
        continue;
      looked = true;
      auto changed = changes.find(granule(operation.address));
      if (notify && changed != changes.end())
        return MissedWakeup{waits.thread, wait, *notify, i - 1, changed->second, std::nullopt};
    }
    return std::nullopt;
  }

  /// While the waiter waited somebody notified, and the thread that was woken waits again without
  /// having changed anything.
  std::optional<MissedWakeup> anotherWoken(size_t wait) const {
    const Operation& waits = operations_[wait];
    for (size_t i = operations_.size(); i > wait + 1; --i) {
      const Operation& operation = operations_[i - 1];
      if (!notifies(operation, waits) || operation.woken.empty())
        continue;
      unsigned woken = operation.woken.front();
      if (operation.woken.size() == 1 && woken != waits.thread && waitsAgain(woken, i, waits))
        return MissedWakeup{waits.thread, wait, i - 1, std::nullopt, std::nullopt, woken};
      return std::nullopt; // somebody went on with the last one
    }
    return std::nullopt;
  }

  bool waitsAgain(unsigned thread, size_t from, const Operation& waits) const {
    for (size_t i = from; i < operations_.size(); ++i) {
      const Operation& operation = operations_[i];
      if (operation.thread != thread)
        continue;
      if (operation.kind == EventKind::CondWait && operation.address == waits.address)
        return true;
      if (!isSync(operation.kind) && isWrite(operation.kind))
        return false;
    }
    return false;
  }

  const std::vector<Operation>& operations_;
  const RunRecord& record_;
};

} // namespace

std::vector<size_t> MissedWakeup::operations() const {
  std::vector<size_t> all = {wait, notify};
  if (read)
    all.push_back(*read);
  if (change)
    all.push_back(*change);
  return all;
}

std::optional<MissedWakeup> findMissedWakeup(const std::vector<Operation>& operations,
                                             const RunRecord& record) {
  if (record.failure != FailureKind::Deadlock || !waitCircle(record.threads).empty())
    return std::nullopt;
  Search search(operations, record);
  std::optional<MissedWakeup> stolen;
  for (unsigned i = 0; i < record.threads.size(); ++i) {
    auto missed = search.of(i);
    if (missed && missed->read)
      return missed;
    if (missed && !stolen)
      stolen = missed;
  }
  return stolen;
}

} // namespace heddle
