#include "describe/operations.h"

#include <map>

namespace heddle {
namespace {

bool isAccess(EventKind kind) {
  return kind == EventKind::Read || kind == EventKind::Write || kind == EventKind::AtomicRead ||
         kind == EventKind::AtomicWrite || kind == EventKind::AtomicUpdate;
}

/// Operations that leave a second event also when they succeed at once.
bool hasSecondEvent(EventKind kind) {
  return kind == EventKind::MutexTryLock || kind == EventKind::ThreadCreate;
}

/// Joins events of each thread.
class Reader {
public:
  explicit Reader(const RecordedRun& run)
      : run_(run), next_(run.totalEvents - run.events.size() + 1) {}

  std::vector<Operation> read() {
    for (const Event& event : run_.events)
      take(event);
    return std::move(operations_);
  }

private:
  void take(const Event& event) {
    EventKind kind = static_cast<EventKind>(event.kind);
    unsigned thread = event.thread;
    if (kind == EventKind::Return || kind == EventKind::Enter || kind == EventKind::Frame ||
        kind == EventKind::UnseenCall)
      return;
    if (kind == EventKind::Call) {
      callers_[thread] = static_cast<SiteId>(event.site);
      return;
    }
    if (kind == EventKind::Value) {
      giveValue(thread, event.address);
      return;
    }
    if (isWake(event)) {
      operations_.back().woken.push_back(event.size - 1);
      return;
    }
    if (isOutcome(event)) {
      judge(operations_.back(), event);
      callers_.erase(thread);
      return;
    }
    Operation operation;
    operation.number = next_++;
    operation.thread = thread;
    operation.kind = kind;
    operation.site = static_cast<SiteId>(event.site);
    operation.address = event.address;
    operation.size = event.size;
    operation.other = otherThread(event);
    operation.result = outcomeOf(event);
    if (auto caller = callers_.extract(thread))
      operation.userSite = caller.mapped();
    if (isAccess(kind))
      lastAccess_[thread] = operations_.size();
    operations_.push_back(operation);
  }

  static std::optional<unsigned> otherThread(const Event& event) {
    if (!concernsThread(static_cast<EventKind>(event.kind)) || event.size == 0)
      return std::nullopt;
    return event.size - 1;
  }

  static void judge(Operation& attempt, const Event& outcome) {
    attempt.result = static_cast<unsigned>(outcome.result);
    attempt.judged = true;
    if (outcome.address != 0)
      attempt.address = outcome.address;
    if (auto other = otherThread(outcome))
      attempt.other = other;
  }

  bool isWake(const Event& event) const {
    return isNotification(static_cast<EventKind>(event.kind)) && event.result == kEventWakes &&
           event.size != 0 && !operations_.empty() && operations_.back().thread == event.thread;
  }

  /// The event right behind an attempt, of the same thread and kind, tells that the attempt did
  /// not succeed at once.
  bool isOutcome(const Event& event) const {
    EventKind kind = static_cast<EventKind>(event.kind);
    if (operations_.empty() || !isSync(kind))
      return false;
    const Operation& last = operations_.back();
    // The object of a join is gone when another thread has joined before.
    bool sameObject = last.address == event.address || last.address == 0 || event.address == 0;
    return last.thread == event.thread && last.kind == kind && sameObject && !last.judged &&
           (outcomeOf(event) != 0 || hasSecondEvent(kind));
  }

  void giveValue(unsigned thread, uint64_t value) {
    auto last = lastAccess_.find(thread);
    if (last == lastAccess_.end())
      return;
    operations_[last->second].value = value;
    lastAccess_.erase(last);
  }

  const RecordedRun& run_;
  uint64_t next_;
  std::vector<Operation> operations_;
  std::map<unsigned, SiteId> callers_;
  std::map<unsigned, size_t> lastAccess_;
};

/// Decisions are made in order, and each one that is a switch shows as a change of threads; some
/// do not (the chosen thread ended without an event), so the search looks a little ahead.
void markSwitches(std::vector<Operation>& operations, const RunRecord& record,
                  const std::vector<Decision>& decisions) {
  constexpr size_t kLookAhead = 8;
  auto path = [&](unsigned thread) {
    return thread < record.threads.size() ? record.threads[thread].path : ThreadPath::None;
  };
  size_t next = 0;
  for (size_t i = 1; i < operations.size(); ++i) {
    if (operations[i].thread == operations[i - 1].thread)
      continue;
    ThreadPath from = path(operations[i - 1].thread);
    ThreadPath to = path(operations[i].thread);
    for (size_t d = next; d < std::min(next + kLookAhead, decisions.size()); ++d) {
      if (decisions[d].kind != DecisionKind::Switch || decisions[d].thread != from ||
          decisions[d].chosen != to)
        continue;
      operations[i].switched = true;
      next = d + 1;
      break;
    }
  }
}

} // namespace

std::vector<Operation> readOperations(const RecordedRun& run,
                                      const std::vector<Decision>& decisions) {
  std::vector<Operation> operations = Reader(run).read();
  markSwitches(operations, run.record, decisions);
  return operations;
}

} // namespace heddle
