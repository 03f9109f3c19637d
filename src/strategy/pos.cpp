#include "pos.h"

namespace heddle {

void Pos::beginRun(uint64_t seed) {
  random_.seed(seed);
  early_.beginRun();
}

ThreadIndex Pos::choose(const Choice& choice) {
  ThreadView* best = nullptr;
  choice.enabled.forEach([&](ThreadView& thread) {
    // Two threads that spin would otherwise pass the turn to each other for as long as both draw
    // higher than the one that they wait for, which never draws again.
    if (thread.priority == 0 || choice.yielded)
      thread.priority = random_.next() | 1;
    if (!best || thread.priority > best->priority)
      best = &thread;
  });
  return best->index;
}

void Pos::executed(ThreadView& thread, const EnabledSet& enabled) {
  enabled.forEach([&](ThreadView& other) {
    if (&other != &thread && conflict(thread.pending, other.pending))
      other.priority = 0; // drawn again at the next decision
  });
  thread.priority = 0; // what it does next is another event
}

uint32_t Pos::chooseWaiter(const Choice&, ThreadView* const*, uint32_t count) {
  return static_cast<uint32_t>(random_.below(count));
}

bool Pos::chooseEarly(const Choice&, DecisionKind, ThreadView&) { return early_.draw(random_); }

} // namespace heddle
