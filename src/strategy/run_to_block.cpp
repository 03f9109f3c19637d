#include "run_to_block.h"

namespace heddle {

void RunToBlock::beginRun(uint64_t seed) { random_.seed(seed); }

ThreadIndex RunToBlock::choose(const Choice& choice) {
  if (choice.currentEnabled)
    return choice.current;
  return choice.enabled.nth(static_cast<uint32_t>(random_.below(choice.enabled.count())));
}

uint32_t RunToBlock::chooseWaiter(const Choice&, ThreadView* const*, uint32_t count) {
  return static_cast<uint32_t>(random_.below(count));
}

} // namespace heddle
