#include "pct.h"

namespace heddle {
namespace {

// Three bands, each below the one before: initial priorities, those after a change point, those
// after a yield. 0 means that the thread was not seen yet.
constexpr uint64_t kInitialBand = 1ull << 63;
constexpr uint64_t kChangeBand = 1ull << 62;
constexpr uint64_t kYieldBand = 1ull << 61;

} // namespace

void Pct::beginBatch(const Plan& plan) {
  depth_ = plan.pctDepth == 0 ? kDefaultDepth : plan.pctDepth;
  if (depth_ > kMaxDepth)
    depth_ = kMaxDepth;
  planEstimate_ = plan.estimatedSteps;
}

void Pct::beginRun(uint64_t seed) {
  random_.seed(seed);
  early_.beginRun();
  step_ = 0;
  lowest_ = kYieldBand;
  drawChangePoints();
}

void Pct::drawChangePoints() {
  uint64_t length = planEstimate_ != 0 ? planEstimate_ : longest_ != 0 ? longest_ : kFirstEstimate;
  nextPoint_ = 0;
  for (uint32_t i = 0; i + 1 < depth_; ++i) {
    ChangePoint point{random_.below(length) + 1, kChangeBand + depth_ - 1 - i};
    uint32_t at = i;
    for (; at > 0 && points_[at - 1].step > point.step; --at)
      points_[at] = points_[at - 1];
    points_[at] = point;
  }
}

uint64_t Pct::priorityOf(ThreadView& thread) {
  if (thread.priority == 0)
    thread.priority = kInitialBand | random_.next();
  return thread.priority;
}

ThreadView* Pct::highest(const EnabledSet& enabled) {
  ThreadView* best = nullptr;
  enabled.forEach([&](ThreadView& thread) {
    uint64_t priority = priorityOf(thread);
    if (!best || priority > best->priority)
      best = &thread;
  });
  return best;
}

ThreadIndex Pct::choose(const Choice& choice) {
  if (choice.yielded)
    choice.enabled.view(choice.current).priority = --lowest_;
  if (choice.enabled.count() < 2)
    return choice.fallback;
  ++step_;
  ThreadView* best = highest(choice.enabled);
  while (nextPoint_ + 1 < depth_ && points_[nextPoint_].step <= step_) {
    best->priority = points_[nextPoint_++].priority;
    best = highest(choice.enabled);
  }
  return best->index;
}

uint32_t Pct::chooseWaiter(const Choice&, ThreadView* const* waiters, uint32_t count) {
  uint32_t best = 0;
  for (uint32_t i = 1; i < count; ++i)
    if (priorityOf(*waiters[i]) > priorityOf(*waiters[best]))
      best = i;
  return best;
}

bool Pct::chooseEarly(const Choice&, DecisionKind, ThreadView&) { return early_.draw(random_); }

void Pct::endRun(uint64_t) {
  if (step_ > longest_)
    longest_ = step_;
}

} // namespace heddle
