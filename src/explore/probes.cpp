#include "probes.h"

#include <algorithm>
#include <set>

namespace heddle::explore {

namespace {

PairKind kindOf(OperationKind kind) {
  switch (kind) {
  case OperationKind::Wait:
  case OperationKind::WordWait:
    return PairKind::Waits;
  case OperationKind::Wake:
  case OperationKind::WordResume:
    return PairKind::WaitAndLock;
  case OperationKind::NotifyOne:
  case OperationKind::NotifyAll:
    return PairKind::WaitAndNotify;
  case OperationKind::LoadWord:
  case OperationKind::StoreWord:
  case OperationKind::UpdateWord:
  case OperationKind::CompareExchangeWord:
    return PairKind::ReadWrite;
  default:
    return isData(kind) ? PairKind::ReadWrite : PairKind::Locks;
  }
}

bool overlap(const Event& a, const Event& b) {
  for (const DataAccess& mine : a.data)
    for (const DataAccess& other : b.data)
      if (mine.cell == other.cell && (mine.mayWrite || other.mayWrite))
        return true;
  return false;
}

/// The schedule that brings `first` in front of `second`; empty if a step on the way is blocked.
std::vector<Choice> scheduleOf(const Execution& execution, size_t second, const Event& first) {
  std::vector<Choice> schedule;
  SyncState state;
  uint32_t done = 0;
  for (size_t i = 0; i < second; ++i) {
    const Event& event = execution.events()[i];
    state.take(event.operation);
    done += event.name.thread == first.name.thread ? 1 : 0;
    schedule.push_back({event.name.thread, event.operation.choice});
  }
  if (done == 0 && !contains(execution.events()[second].past, first.name) &&
      first.name.thread != 0) {
    // A thread that was not made yet cannot begin.
    const Steps& needed = execution.event(execution.find({first.name.thread, 0})).threadPast;
    for (size_t thread = 0; thread < needed.size(); ++thread)
      for (uint32_t index = 0; index < needed[thread]; ++index)
        if (execution.find({static_cast<ThreadNumber>(thread), index}) >=
            static_cast<EventId>(second))
          return {};
  }
  for (uint32_t index = done; index <= first.name.index; ++index) {
    const Event& event = execution.event(execution.find({first.name.thread, index}));
    if (!state.enabled(event.operation))
      return {};
    state.take(event.operation);
    schedule.push_back({event.name.thread, 0});
  }
  return schedule;
}

} // namespace

PairKind pairOf(OperationKind first, OperationKind second) {
  return std::max(kindOf(first), kindOf(second));
}

std::vector<Probe> probesOf(const Execution& execution) {
  std::vector<Probe> probes;
  std::set<std::pair<SiteIdentity, SiteIdentity>> seen;
  const auto& events = execution.events();
  for (size_t second = events.size(); second-- > 0;)
    for (size_t first = second + 1; first < events.size(); ++first) {
      const Event& a = events[first];
      const Event& b = events[second];
      if (a.name.thread == b.name.thread || !(overlap(a, b) || inConflict(a, b)) ||
          a.operation.kind == OperationKind::Fail)
        continue;
      auto sites = std::pair(a.operation.site, b.operation.site);
      if (seen.contains(sites))
        continue;
      auto schedule = scheduleOf(execution, second, a);
      if (schedule.empty())
        continue;
      seen.insert(sites);
      probes.push_back({std::move(schedule), pairOf(a.operation.kind, b.operation.kind),
                        sites.first, sites.second, second, first - second});
    }
  return probes;
}

} // namespace heddle::explore
