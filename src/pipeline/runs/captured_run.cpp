#include "pipeline/runs/captured_run.h"

#include "store/encoding.h"

namespace heddle {

Status requireControl(const RunRecord& record) {
  Outcome outcome = record.result.outcome;
  if (outcome != Outcome::LostControl && outcome != Outcome::Died)
    return Success{};
  std::string text = "lost control of the program: " + record.message;
  if (record.message.empty())
    text += record.signal != 0 ? "a run was ended by signal " + std::to_string(record.signal)
                               : std::string("a run ended without a result");
  if (!record.output.empty())
    text += "\nits output was:\n" + record.output;
  return Error{text, ErrorKind::LostControl};
}

CapturedRun capture(const CommandContext& context, RunRecord record, const PlanRequest& request) {
  CapturedRun run;
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

CapturedRun captureLike(const CapturedRun& found, RunRecord record) {
  CapturedRun run = {{}, found.schedule, found.sites, found.strategy, found.index, found.test};
  run.schedule.decisions = record.decisions;
  run.schedule.digest = record.result.digest;
  run.record = std::move(record);
  return run;
}

CapturedRun captureReplay(const Schedule& schedule, const std::vector<uint64_t>& sites,
                          const RunRecord& record, const std::optional<Finding>& stored) {
  CapturedRun run = {record, schedule, sites, StrategyKind::Replay, 1, ""};
  if (!stored)
    return run;
  run.index = stored->run;
  run.test = stored->test;
  run.strategy = parseStrategy(stored->strategy).value_or(StrategyKind::Replay);
  return run;
}

void keepPoints(CommandContext& context, CapturedRun& run) {
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
