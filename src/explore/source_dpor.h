#pragma once

#include "execution.h"

#include <functional>

namespace heddle::explore {

/// A baseline: source-DPOR with sleep sets (Abdulla, Aronis, Jonsson, Sagonas: Optimal Dynamic
/// Partial Order Reduction, POPL 2014), for value schedules. Each class has one complete run; runs
/// that find all threads asleep are blocked, and end there.
///
/// Unlike the search it decides while a run goes on: after the schedule it is asked at every step.
class SourceDpor {
public:
  /// The next schedule, or nothing if all is explored.
  std::optional<std::vector<Choice>> next();
  /// Who goes on after the schedule, among these operations that could be taken; nobody if all are
  /// asleep: then the run ends.
  std::optional<ThreadNumber> choose(const std::vector<Operation>& enabled);
  /// The operation that was taken, in the schedule or after it.
  void took(const std::vector<Operation>& enabled, const Operation& operation);
  void report(const Run& run);

  uint64_t complete() const { return complete_; }
  uint64_t blocked() const { return blocked_; } ///< because of sleep sets
  uint64_t states() const { return states_; }

private:
  /// An operation that could be taken at a point, with what it would touch there.
  using Waiting = std::map<ThreadNumber, Event>;
  struct Point {
    Waiting enabled;
    Waiting asleep;
    std::set<ThreadNumber> backtrack;
    std::set<ThreadNumber> done;
    Choice taken;
    uint32_t choices = 1;
  };
  struct Step {
    Event event;
    Steps past; ///< of value schedules: the order of all conflicts
  };

  Waiting describe(const std::vector<Operation>& enabled) const;
  void addPoint(const std::vector<Operation>& enabled);
  std::vector<Step> stepsOf(const Run& run, std::vector<Event>& pending) const;
  bool couldComeBefore(const std::vector<Step>& steps, size_t earlier, const Event& later,
                       size_t end) const;
  void addRaces(const std::vector<Step>& steps, const Event& later, const Steps& threadPast,
                size_t end);
  void addSource(const std::vector<Step>& steps, size_t earlier, const Event& later,
                 const Steps& threadPast, size_t end);

  std::vector<Point> points_;
  size_t at_ = 0; ///< of the run that goes on
  SyncState state_;
  bool isFirst_ = true;
  bool isBlocked_ = false;
  uint64_t complete_ = 0;
  uint64_t blocked_ = 0;
  uint64_t states_ = 0;
};

} // namespace heddle::explore
