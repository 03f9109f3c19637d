#include "tolerant_replay.h"

namespace heddle {
namespace {

/// Below all decisions of its kind at a place.
Decision keyOf(const Choice& choice, DecisionKind kind, ThreadPath chosen = ThreadPath::None) {
  return {choice.enabled.view(choice.current).path, choice.site, chosen, choice.occurrence, kind};
}

bool samePlace(const Decision& a, const Decision& b) {
  return a.thread == b.thread && a.site == b.site && a.occurrence == b.occurrence &&
         a.kind == b.kind;
}

ThreadIndex enabledThread(const Choice& choice, ThreadPath path) {
  ThreadIndex found = ThreadIndex::None;
  choice.enabled.forEach([&](ThreadView& thread) {
    if (thread.path == path)
      found = thread.index;
  });
  return found;
}

} // namespace

void TolerantReplay::beginRun(uint64_t) {
  earlyFirst_ = 0;
  earlyUsed_ = 0;
  deferredCount_ = 0;
}

uint64_t TolerantReplay::lowerBound(const Decision& key) const {
  uint64_t first = 0;
  for (uint64_t left = count_; left != 0;) {
    uint64_t half = left / 2;
    if (isFiledBefore(decisions_[first + half], key)) {
      first += half + 1;
      left -= half + 1;
    } else {
      left = half;
    }
  }
  return first;
}

const Decision* TolerantReplay::find(const Choice& choice, DecisionKind kind) const {
  Decision key = keyOf(choice, kind);
  uint64_t at = lowerBound(key);
  return at != count_ && samePlace(decisions_[at], key) ? &decisions_[at] : nullptr;
}

void TolerantReplay::defer(const Decision& decision) {
  takeDeferred(decision.thread); // the later one counts
  if (deferredCount_ < kMaxDeferred)
    deferred_[deferredCount_++] = {decision.thread, decision.chosen};
}

ThreadPath TolerantReplay::takeDeferred(ThreadPath thread) {
  for (uint32_t i = 0; i < deferredCount_; ++i) {
    if (deferred_[i].thread != thread)
      continue;
    ThreadPath chosen = deferred_[i].chosen;
    deferred_[i] = deferred_[--deferredCount_];
    return chosen;
  }
  return ThreadPath::None;
}

ThreadIndex TolerantReplay::choose(const Choice& choice) {
  ThreadPath wanted = ThreadPath::None;
  if (const Decision* decision = find(choice, DecisionKind::Switch))
    wanted = decision->chosen;
  else if (const Decision* later = find(choice, DecisionKind::Defer))
    defer(*later);
  if (wanted == ThreadPath::None && !choice.currentEnabled && deferredCount_ != 0)
    wanted = takeDeferred(choice.enabled.view(choice.current).path);
  ThreadIndex chosen =
      wanted == ThreadPath::None ? ThreadIndex::None : enabledThread(choice, wanted);
  return chosen == ThreadIndex::None ? choice.fallback : chosen;
}

uint32_t TolerantReplay::chooseWaiter(const Choice& choice, ThreadView* const* waiters,
                                      uint32_t count) {
  const Decision* decision = find(choice, DecisionKind::Wake);
  for (uint32_t i = 0; decision && i < count; ++i)
    if (waiters[i]->path == decision->chosen)
      return i;
  return 0;
}

bool TolerantReplay::chooseEarly(const Choice& choice, DecisionKind kind, ThreadView& waiter) {
  Decision key = keyOf(choice, kind, waiter.path);
  uint64_t first = lowerBound(key);
  uint64_t end = first;
  while (end != count_ && !isFiledBefore(key, decisions_[end]))
    ++end;
  if (end == first)
    return false;
  // Timers of the program have no thread: several decisions at one place are equal.
  if (first != earlyFirst_) {
    earlyFirst_ = first;
    earlyUsed_ = 0;
  }
  if (earlyUsed_ == end - first)
    return false;
  ++earlyUsed_;
  return true;
}

} // namespace heddle
