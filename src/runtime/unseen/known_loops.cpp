#include "runtime/unseen/known_loops.h"

namespace heddle::rt {

bool isKnownLoop(uintptr_t address) {
  for (const KnownLoop& known : persistent().knownLoops)
    if (address >= known.low && address <= known.high && known.low != 0)
      return true;
  return false;
}

void learnLoop(const KnownLoop& loop) {
  if (loop.low == 0 || isKnownLoop(loop.low))
    return;
  Persistent& state = persistent();
  state.knownLoops[state.knownLoopCount++ % kKnownLoops] = loop;
}

} // namespace heddle::rt
