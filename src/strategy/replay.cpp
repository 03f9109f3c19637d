#include "replay.h"

namespace heddle {
namespace {

/// Text into a fixed buffer; what does not fit is cut.
class Text {
public:
  Text(char* buffer, size_t bytes) : at_(buffer), end_(buffer + bytes - 1) { *at_ = 0; }

  Text& add(const char* text) {
    while (*text && at_ < end_)
      *at_++ = *text++;
    *at_ = 0;
    return *this;
  }
  Text& number(uint64_t value, unsigned base = 10) {
    char digits[24];
    char* first = digits + sizeof(digits) - 1;
    *first = 0;
    do
      *--first = "0123456789abcdef"[value % base];
    while ((value /= base) != 0);
    return add(first);
  }

private:
  char* at_;
  char* end_;
};

} // namespace

void Replay::beginRun(uint64_t) {
  next_ = 0;
  stopped_ = false;
  unmet_ = Unmet::NeverCame;
  named_ = 0;
}

const Decision* Replay::due(const Choice& choice, DecisionKind kind) const {
  if (stopped_ || next_ == count_)
    return nullptr;
  const Decision& decision = decisions_[next_];
  if (decision.kind != kind || decision.occurrence != choice.occurrence ||
      decision.site != choice.site || decision.thread != choice.enabled.view(choice.current).path)
    return nullptr;
  return &decision;
}

ThreadIndex Replay::choose(const Choice& choice) {
  const Decision* decision = due(choice, DecisionKind::Switch);
  if (!decision)
    return choice.fallback;
  ThreadIndex chosen = ThreadIndex::None;
  choice.enabled.forEach([&](ThreadView& thread) {
    if (thread.path == decision->chosen)
      chosen = thread.index;
  });
  if (chosen == ThreadIndex::None) {
    stopped_ = true;
    unmet_ = Unmet::ChosenNotThere;
    return choice.fallback;
  }
  ++next_;
  return chosen;
}

uint32_t Replay::chooseWaiter(const Choice& choice, ThreadView* const* waiters, uint32_t count) {
  const Decision* decision = due(choice, DecisionKind::Wake);
  if (!decision)
    return 0;
  for (uint32_t i = 0; i < count; ++i) {
    if (waiters[i]->path == decision->chosen) {
      ++next_;
      return i;
    }
  }
  stopped_ = true;
  unmet_ = Unmet::ChosenNotThere;
  return 0;
}

bool Replay::chooseEarly(const Choice& choice, DecisionKind kind, ThreadView& waiter) {
  const Decision* decision = due(choice, kind);
  // Asked once per waiter: another waiter than the one of the decision is no divergence.
  if (!decision || decision->chosen != waiter.path)
    return false;
  ++next_;
  return true;
}

bool Replay::expects(const ThreadView& thread, SiteIdentity site) const {
  return !stopped_ && next_ != count_ && decisions_[next_].thread == thread.path &&
         decisions_[next_].site == site;
}

void Replay::threadCreated(ThreadView& thread) {
  if (raw(thread.index) != named_ || named_ == kNamedThreads)
    return;
  paths_[named_++] = thread.path;
}

uint32_t Replay::indexOf(ThreadPath path) const {
  for (uint32_t i = 0; i < named_; ++i)
    if (paths_[i] == path)
      return i;
  return raw(ThreadIndex::None);
}

const char* Replay::divergence() {
  if (next_ == count_)
    return nullptr;
  const Decision& decision = decisions_[next_];
  Text text(message_, sizeof(message_));
  auto name = [&](ThreadPath path) {
    uint32_t index = path == ThreadPath::Main ? 0 : indexOf(path);
    if (index != raw(ThreadIndex::None))
      text.add("T").number(index);
    else
      text.add("with path ").number(raw(path), 16);
  };
  text.add("decision ").number(next_ + 1).add(" of ").number(count_).add(": thread ");
  name(decision.thread);
  text.add(" at site ").number(raw(decision.site), 16);
  text.add(" occurrence ").number(decision.occurrence);
  if (unmet_ == Unmet::NeverCame) {
    text.add(" never came");
  } else {
    text.add(" came, but thread ");
    name(decision.chosen);
    text.add(decision.kind == DecisionKind::Wake ? " was not waiting" : " could not run");
  }
  return message_;
}

} // namespace heddle
