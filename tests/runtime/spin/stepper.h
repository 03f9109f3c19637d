#pragma once

#include "runtime/unseen/loop_watch.h"

/// Executes a function of this process instruction by instruction in front of a LoopWatch.
namespace heddle::rt {

struct Watched {
  LoopProof proof = LoopProof::None;
  bool looksLikeWaiting = false;
  uint64_t steps = 0;
};

/// Calls loop(stop) until something is proven or `mostSteps` instructions were executed; then
/// *stop becomes 1, at which the function must return.
Watched watchLoop(void (*loop)(volatile int* stop), uint64_t mostSteps = 600);

} // namespace heddle::rt
