#include "random_walk.h"

namespace heddle {

void RandomWalk::beginRun(uint64_t seed) {
  random_.seed(seed);
  early_.beginRun();
}

ThreadIndex RandomWalk::choose(const Choice& choice) {
  return choice.enabled.nth(static_cast<uint32_t>(random_.below(choice.enabled.count())));
}

uint32_t RandomWalk::chooseWaiter(const Choice&, ThreadView* const*, uint32_t count) {
  return static_cast<uint32_t>(random_.below(count));
}

bool RandomWalk::chooseEarly(const Choice&, DecisionKind, ThreadView&) {
  return early_.draw(random_);
}

} // namespace heddle
