#include "probes.h"

#include <algorithm>
#include <map>
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

bool onlyReads(const Event& event) {
  return std::none_of(event.data.begin(), event.data.end(),
                      [](const DataAccess& access) { return access.mayWrite; });
}

/// Probes of one pair of sites.
constexpr size_t kMostDetails = 8;

/// The first probe that it is asked for of each ordered pair of sites, or of each detail there if
/// these are told apart.
class ProbeCollector {
public:
  ProbeCollector(const Execution& execution, bool tellsDetails)
      : execution_(execution), tellsDetails_(tellsDetails) {}

  /// Those that bring a later step before this one.
  void addBefore(size_t second) {
    const auto& events = execution_.events();
    const Event& b = events[second];
    for (size_t first = second + 1; first < events.size(); ++first) {
      const Event& a = events[first];
      if (a.name.thread == b.name.thread || !(overlap(a, b) || inConflict(a, b)) ||
          a.operation.kind == OperationKind::Fail)
        continue;
      auto sites = std::pair(a.operation.site, b.operation.site);
      uint64_t detail = tellsDetails_ ? detailOf(a, b) : 0;
      auto& details = seen_[sites];
      if (details.contains(detail) || details.size() == kMostDetails)
        continue;
      auto schedule = scheduleOf(execution_, second, a);
      if (schedule.empty())
        continue;
      details.insert(detail);
      bool isAlike = sites.first == sites.second && nextSite(a) == nextSite(b);
      probes_.push_back({std::move(schedule), pairOf(a.operation.kind, b.operation.kind),
                         sites.first, sites.second, second, first - second,
                         onlyReads(a) || onlyReads(b), isAlike, detail});
    }
  }
  std::vector<Probe> take() { return std::move(probes_); }

private:
  /// Where the thread goes on after the step.
  SiteIdentity nextSite(const Event& event) const {
    StepName next{event.name.thread, event.name.index + 1};
    if (!contains(execution_.all(), next))
      return SiteIdentity::None;
    return execution_.event(execution_.find(next)).operation.site;
  }

  uint64_t detailOf(const Event& a, const Event& b) const {
    if (isData(a.operation.kind) || isData(b.operation.kind))
      return 0;
    return mix(b.operation.object, mix(raw(nextSite(a)), raw(nextSite(b))));
  }

  const Execution& execution_;
  bool tellsDetails_;
  std::map<std::pair<SiteIdentity, SiteIdentity>, std::set<uint64_t>> seen_;
  std::vector<Probe> probes_;
};

} // namespace

PairKind pairOf(OperationKind first, OperationKind second) {
  return std::max(kindOf(first), kindOf(second));
}

std::vector<Probe> probesOf(const Execution& execution) {
  ProbeCollector collector(execution, /*tellsDetails=*/false);
  for (size_t second = execution.events().size(); second-- > 0;)
    collector.addBefore(second);
  return collector.take();
}

std::vector<Probe> earliestProbesOf(const Execution& execution) {
  ProbeCollector collector(execution, /*tellsDetails=*/true);
  for (size_t second = 0; second < execution.events().size(); ++second)
    collector.addBefore(second);
  return collector.take();
}

} // namespace heddle::explore
