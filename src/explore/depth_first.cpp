#include "depth_first.h"

#include <algorithm>

namespace heddle::explore {

std::optional<std::vector<Choice>> DepthFirst::next() {
  while (!points_.empty() && points_.back().left.empty())
    points_.pop_back();
  if (points_.empty() && !isFirst_)
    return std::nullopt;
  isFirst_ = false;
  if (!points_.empty()) {
    points_.back().taken = points_.back().left.back();
    points_.back().left.pop_back();
  }
  std::vector<Choice> schedule;
  for (const Point& point : points_)
    schedule.push_back(point.taken);
  return schedule;
}

/// Preemptions when the thread is taken at the i-th point: 1 if the one before could go on.
uint32_t DepthFirst::cost(size_t i, ThreadNumber thread) const {
  if (i == 0 || points_[i - 1].taken.thread == thread)
    return 0;
  const auto& enabled = points_[i].enabled;
  return std::find(enabled.begin(), enabled.end(), points_[i - 1].taken.thread) != enabled.end();
}

void DepthFirst::addPoint(const Run& run, size_t i) {
  const Operation& operation = run.operations[i];
  Point point;
  point.taken = {operation.thread, operation.choice};
  point.enabled = run.enabled[i];
  points_.push_back(point);
  Point& added = points_.back();
  if (i > 0)
    added.preemptions = points_[i - 1].preemptions + cost(i - 1, points_[i - 1].taken.thread);
  for (auto thread = added.enabled.rbegin(); thread != added.enabled.rend(); ++thread)
    if (*thread != operation.thread && (!bound_ || added.preemptions + cost(i, *thread) <= *bound_))
      added.left.push_back({*thread, 0});
  states_ += added.enabled.size() > 1 || operation.choices > 1 ? 1 : 0;
}

void DepthFirst::report(const Run& run) {
  ++runs_;
  size_t known = points_.size();
  for (size_t i = known; i < run.operations.size(); ++i)
    addPoint(run, i);
  // Which choices a notification has shows when it is taken first.
  for (size_t i = known > 0 ? known - 1 : 0; i < points_.size(); ++i)
    if (const Operation& operation = run.operations[i]; operation.choice == 0)
      for (uint32_t choice = operation.choices; choice-- > 1;)
        points_[i].left.push_back({operation.thread, choice});
}

} // namespace heddle::explore
