#include "directed.h"
#include "lock_pattern.h"
#include "non_preemptive.h"
#include "pct.h"
#include "pos.h"
#include "prefix.h"
#include "random_walk.h"
#include "replay.h"
#include "round_robin.h"
#include "run_to_block.h"
#include "strategy.h"
#include "surw.h"
#include "tolerant_replay.h"

#include <new>

namespace heddle {
namespace {

template <typename T, typename... Arguments>
Strategy* make(StrategyMemory& memory, Arguments... arguments) {
  static_assert(sizeof(T) <= sizeof(memory.bytes) && alignof(T) <= alignof(StrategyMemory));
  return new (memory.bytes) T(arguments...);
}

} // namespace

/// One line per strategy; its name on the command line is in HEDDLE_STRATEGIES (batch.h).
Strategy* makeStrategy(StrategyMemory& memory, const Plan& plan, const Decision* schedule) {
  switch (plan.strategy) {
  case StrategyKind::NonPreemptive:
    return make<NonPreemptive>(memory);
  case StrategyKind::Random:
    return make<RandomWalk>(memory);
  case StrategyKind::Pct:
    return make<Pct>(memory);
  case StrategyKind::Pos:
    return make<Pos>(memory);
  case StrategyKind::Surw:
    return make<Surw>(memory);
  case StrategyKind::RoundRobin:
    return make<RoundRobin>(memory);
  case StrategyKind::Directed:
    return make<Directed>(memory);
  case StrategyKind::RunToBlock:
    return make<RunToBlock>(memory);
  case StrategyKind::LockPattern:
    return make<LockPattern>(memory);
  case StrategyKind::Prefix:
    return make<Prefix>(memory, reinterpret_cast<const PrefixHeader*>(schedule));
  case StrategyKind::Replay:
    if (plan.flags & kPlanTolerant)
      return make<TolerantReplay>(memory, schedule, plan.decisions);
    return make<Replay>(memory, schedule, plan.decisions);
  }
  return make<NonPreemptive>(memory);
}

} // namespace heddle
