#include "pipeline/runs/captured_run.h"

#include "store/encoding.h"

namespace heddle {

FailingRun capture(const CommandContext& context, RunRecord record, const PlanRequest& request) {
  FailingRun run;
  run.schedule = context.plans.scheduleOf(record);
  run.schedule.points = request.plan.points;
  run.schedule.target = request.plan.target;
  if (request.plan.points == PointSet::Listed || !(request.plan.flags & kPlanUncheckedSites))
    run.sites = request.listedSites;
  if (run.sites != context.plans.points().sites)
    run.schedule.pointsName.clear();
  run.strategy = request.plan.strategy;
  run.test = context.program().test;
  run.record = std::move(record);
  return run;
}

FailingRun captureLike(const FailingRun& found, RunRecord record) {
  FailingRun run = {{}, found.schedule, found.sites, found.strategy, found.index, found.test};
  run.schedule.decisions = record.decisions;
  run.schedule.digest = record.result.digest;
  run.record = std::move(record);
  return run;
}

FailingRun captureReplay(const Schedule& schedule, const std::vector<uint64_t>& sites,
                         const RunRecord& record, const std::optional<Finding>& stored) {
  FailingRun run = {record, schedule, sites, StrategyKind::Replay, 1, ""};
  if (!stored)
    return run;
  run.index = stored->run;
  run.test = stored->test;
  run.strategy = parseStrategy(stored->strategy).value_or(StrategyKind::Replay);
  return run;
}

void keepPoints(CommandContext& context, FailingRun& run) {
  Schedule& schedule = run.schedule;
  if (run.sites.empty() || !schedule.pointsName.empty() || !context.store())
    return;
  PointsSet set{"", buildName(context.program()), {}};
  for (uint64_t site : run.sites)
    set.sites.push_back(static_cast<SiteIdentity>(site));
  set.id = pointsSetId(set.build, set.sites);
  if (Status kept = context.store()->importPoints(set); kept)
    schedule.pointsName = set.id;
  else
    context.notes.addWarning(kept.error().message);
}

} // namespace heddle
