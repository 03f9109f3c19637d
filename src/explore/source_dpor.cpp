#include "source_dpor.h"

#include <algorithm>

namespace heddle::explore {

namespace {

using Kind = OperationKind;

bool writes(const Operation& operation) {
  return operation.kind != Kind::Read &&
         (operation.kind != Kind::CompareExchange || operation.succeeded);
}

/// Whether the order of two steps counts, data as well.
bool isDependent(const Event& a, const Event& b) {
  if (inConflict(a, b))
    return true;
  const Operation& x = a.operation;
  const Operation& y = b.operation;
  if (!isData(x.kind) || !isData(y.kind))
    return false;
  if (x.object != 0 && x.object == y.object && (x.kind == Kind::Free || y.kind == Kind::Free))
    return true;
  bool overlap = x.address < y.address + y.size && y.address < x.address + x.size;
  return overlap && (writes(x) || writes(y));
}

} // namespace

SourceDpor::Waiting SourceDpor::describe(const std::vector<Operation>& enabled) const {
  Waiting waiting;
  for (const Operation& operation : enabled) {
    Event event;
    event.operation = operation;
    event.sync = state_.accesses(operation);
    waiting[operation.thread] = std::move(event);
  }
  return waiting;
}

std::optional<std::vector<Choice>> SourceDpor::next() {
  at_ = 0;
  state_ = {};
  isBlocked_ = false;
  if (isFirst_) {
    isFirst_ = false;
    return std::vector<Choice>{};
  }
  while (!points_.empty()) {
    Point& point = points_.back();
    if (point.taken.choice + 1 < point.choices) {
      ++point.taken.choice;
      break;
    }
    point.done.insert(point.taken.thread);
    point.asleep[point.taken.thread] = point.enabled[point.taken.thread];
    auto next = std::find_if(point.backtrack.begin(), point.backtrack.end(), [&](ThreadNumber t) {
      return !point.done.contains(t) && !point.asleep.contains(t);
    });
    if (next != point.backtrack.end()) {
      point.taken = {*next, 0};
      point.choices = 1;
      break;
    }
    points_.pop_back();
  }
  if (points_.empty())
    return std::nullopt;
  std::vector<Choice> schedule;
  for (const Point& point : points_)
    schedule.push_back(point.taken);
  return schedule;
}

void SourceDpor::addPoint(const std::vector<Operation>& enabled) {
  Point point;
  point.enabled = describe(enabled);
  states_ += enabled.size() > 1 ? 1 : 0;
  if (!points_.empty()) {
    const Point& before = points_.back();
    const Event& taken = before.enabled.at(before.taken.thread);
    for (const auto& [thread, event] : before.asleep)
      if (thread != before.taken.thread && !isDependent(event, taken))
        point.asleep[thread] = event;
  }
  points_.push_back(std::move(point));
}

std::optional<ThreadNumber> SourceDpor::choose(const std::vector<Operation>& enabled) {
  addPoint(enabled);
  Point& point = points_.back();
  for (const auto& [thread, event] : point.enabled)
    if (!point.asleep.contains(thread)) {
      point.taken = {thread, 0};
      point.backtrack.insert(thread);
      return thread;
    }
  points_.pop_back();
  isBlocked_ = !enabled.empty();
  return std::nullopt;
}

void SourceDpor::took(const std::vector<Operation>& enabled, const Operation& operation) {
  Point& point = points_[at_++];
  point.enabled = describe(enabled);
  Event& event = point.enabled[operation.thread];
  event.operation = operation;
  event.sync = state_.accesses(operation);
  point.choices = operation.choices;
  state_.take(operation);
}

std::vector<SourceDpor::Step> SourceDpor::stepsOf(const Run& run,
                                                  std::vector<Event>& pending) const {
  Execution execution(run, {});
  std::vector<Step> steps;
  for (const Event& event : execution.events()) {
    Step step{event, event.past};
    step.event.threadPast = Steps(execution.threads(), 0);
    auto ownBefore = std::find_if(steps.rbegin(), steps.rend(), [&](const Step& other) {
      return other.event.name.thread == event.name.thread;
    });
    if (ownBefore != steps.rend())
      join(step.event.threadPast, ownBefore->past);
    join(step.past, step.event.threadPast);
    for (const Step& other : steps)
      if (contains(event.past, other.event.name) || isDependent(other.event, event))
        join(step.past, other.past);
    join(step.event.threadPast, event.threadPast);
    steps.push_back(std::move(step));
  }
  pending = execution.pending();
  for (Event& event : pending)
    for (const Step& step : steps)
      if (step.event.name.thread == event.name.thread)
        event.threadPast = step.past;
  return steps;
}

void SourceDpor::addSource(const std::vector<Step>& steps, size_t earlier, const Event& later,
                           const Steps& threadPast, size_t end) {
  // The steps after the earlier one that do not need it, and the later one: who may come first.
  std::set<ThreadNumber> initials;
  std::vector<const Step*> kept;
  const StepName& name = steps[earlier].event.name;
  auto isFirst = [&](const Steps& past) {
    return std::none_of(kept.begin(), kept.end(),
                        [&](const Step* other) { return contains(past, other->event.name); });
  };
  for (size_t i = earlier + 1; i < end; ++i) {
    if (contains(steps[i].past, name))
      continue;
    if (isFirst(steps[i].past))
      initials.insert(steps[i].event.name.thread);
    kept.push_back(&steps[i]);
  }
  bool isLaterFirst = isFirst(threadPast) &&
                      std::none_of(kept.begin(), kept.end(),
                                   [&](auto* step) { return isDependent(step->event, later); });
  if (isLaterFirst)
    initials.insert(later.name.thread);
  Point& point = points_[earlier];
  for (ThreadNumber thread : initials)
    if (point.backtrack.contains(thread))
      return;
  for (ThreadNumber thread : initials)
    if (point.enabled.contains(thread)) {
      point.backtrack.insert(thread);
      return;
    }
}

/// Whether the later one could be taken without the earlier one and what needs that.
bool SourceDpor::couldComeBefore(const std::vector<Step>& steps, size_t earlier, const Event& later,
                                 size_t end) const {
  SyncState state;
  const StepName& name = steps[earlier].event.name;
  for (size_t i = 0; i < end; ++i)
    if (i < earlier || !contains(steps[i].past, name))
      state.take(steps[i].event.operation);
  return state.enabled(later.operation);
}

void SourceDpor::addRaces(const std::vector<Step>& steps, const Event& later,
                          const Steps& threadPast, size_t end) {
  Steps covered = threadPast;
  for (size_t i = end; i-- > 0;) {
    const Event& earlier = steps[i].event;
    if (earlier.name.thread == later.name.thread || contains(covered, earlier.name) ||
        !isDependent(earlier, later) || !couldComeBefore(steps, i, later, end))
      continue;
    addSource(steps, i, later, threadPast, end);
    join(covered, steps[i].past);
  }
}

void SourceDpor::report(const Run& run) {
  if (isBlocked_)
    ++blocked_;
  else
    ++complete_;
  std::vector<Event> pending;
  auto steps = stepsOf(run, pending);
  for (size_t i = 0; i < steps.size(); ++i)
    addRaces(steps, steps[i].event, steps[i].event.threadPast, i);
  for (const Event& event : pending)
    addRaces(steps, event, event.threadPast, steps.size());
}

} // namespace heddle::explore
