#include "pipeline/candidates/baselines.h"

#include "control/memory_limit.h"
#include "pipeline/candidates/profiling.h"

#include <set>

namespace heddle {
namespace {

/// What a user sees of a violation.
std::string nameOf(const PredictedPattern& pattern) {
  std::string name = std::to_string(pattern.number);
  for (const PatternAccess& step : pattern.steps)
    name += " " + std::to_string(raw(step.site));
  return name;
}

/// Makes `runs` runs one by one; `detect` says of each how many violations it has shown.
template <typename Prepare, typename Detect>
Result<BaselineResult> watch(CommandContext& context, StrategyKind strategy, uint64_t runs,
                             Prepare prepare, Detect detect) {
  BaselineResult result;
  auto session = Session::create(context.sharedProgram(), context.sessions.options());
  if (!session)
    return session.error();
  for (uint64_t i = 0; i < runs && !context.budget.searchIsOver(); ++i) {
    PlanRequest request = context.plans.plan(strategy, context.options().seed + i, 1);
    AtomicityPrediction events;
    events.setLimits([&] { return context.budget.mustEnd(); }, memoryIsShort);
    prepare(request);
    auto report =
        session->execute(request, [&](std::span<const Event> some) { events.add(some); }, true);
    if (!report)
      return report.error();
    if (!report->last)
      break;
    RunRecord& record = *report->last;
    if (Status status = requireControl(record); !status)
      return status.error();
    bool failed = context.notes.judgeEnd(record);
    context.count(record.result, failed);
    ++result.runs;
    result.failures += failed;
    result.thrashings += record.result.thrashings;
    if (!detect(events, record))
      continue;
    ++result.detections;
    if (result.first == 0)
      result.first = result.runs;
  }
  return result;
}

/// Sync operations, and the sites of all candidates.
void setPoints(PlanRequest& request, const CandidateSet& candidates) {
  std::set<uint64_t> points;
  for (SiteIdentity site : candidates.sites())
    points.insert(raw(site));
  request.plan.points = PointSet::Listed;
  request.listedSites.assign(points.begin(), points.end());
}

} // namespace

Result<BaselineResult> monitor(CommandContext& context, const CandidateSet& candidates,
                               uint64_t runs) {
  std::set<std::string> seen;
  auto prepare = [&](PlanRequest& request) {
    request.plan.flags |= kPlanRecordListed | kPlanUnits | kPlanStacks | kPlanDumpSites;
    setPoints(request, candidates);
  };
  auto detect = [&](AtomicityPrediction& events, const RunRecord& record) {
    if (!record.sites)
      return false;
    auto patterns = events.observed(*record.sites);
    for (const PredictedPattern& pattern : patterns)
      seen.insert(nameOf(pattern));
    return !patterns.empty();
  };
  auto result = watch(context, StrategyKind::Random, runs, prepare, detect);
  if (result)
    result->violations = seen.size();
  return result;
}

Result<BaselineResult> lookForLockPattern(CommandContext& context, const CandidateSet& candidates,
                                          uint64_t runs) {
  auto prepare = [&](PlanRequest& request) { setPoints(request, candidates); };
  auto detect = [](AtomicityPrediction&, const RunRecord& record) {
    return record.result.meetings != 0;
  };
  auto result = watch(context, StrategyKind::LockPattern, runs, prepare, detect);
  if (result)
    result->violations = result->detections != 0;
  return result;
}

} // namespace heddle
