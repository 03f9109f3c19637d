#include "runtime/run/selftest.h"

#include "runtime/run/program_arguments.h"

#include <stdlib.h>
#include <string.h>

namespace heddle::rt {

namespace {

const char* request = nullptr; ///< kept: the copied environment does not have the variable

StrategyKind strategyNamed(const char* name) {
#define HEDDLE_STRATEGY_MATCH(kind, text)                                                          \
  if (strncmp(name, text, sizeof text - 1) == 0)                                                   \
    return StrategyKind::kind;
  HEDDLE_STRATEGIES(HEDDLE_STRATEGY_MATCH)
#undef HEDDLE_STRATEGY_MATCH
  return StrategyKind::NonPreemptive;
}

uint64_t parseNumber(const char* text) {
  uint64_t value = 0;
  while (*text >= '0' && *text <= '9')
    value = value * 10 + static_cast<uint64_t>(*text++ - '0');
  return value;
}

} // namespace

bool isSelftest(char** envp) {
  if (!request)
    request = findVariable(envp, "HEDDLE_SELFTEST");
  return request != nullptr;
}

Plan selftestPlan(char** envp) {
  Plan plan{};
  plan.strategy = StrategyKind::NonPreemptive;
  plan.points = PointSet::Sync;
  plan.pctDepth = 3;
  if (!isSelftest(envp))
    return plan;
  plan.strategy = strategyNamed(request);
  plan.flags = kPlanCheckHeap;
  plan.maxSteps = 10'000'000;
  if (const char* colon = strchr(request, ':')) {
    plan.firstSeed = parseNumber(colon + 1);
    if (strstr(colon, ":all"))
      plan.points = PointSet::All;
  }
  return plan;
}

} // namespace heddle::rt
