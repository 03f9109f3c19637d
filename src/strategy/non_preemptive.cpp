#include "non_preemptive.h"

namespace heddle {

ThreadIndex NonPreemptive::choose(const Choice& choice) { return choice.fallback; }

} // namespace heddle
