#include "pipeline/stages/explored_run.h"

#include "explore/program_explorer.h"

namespace heddle {

PlanRequest planToExplore(const CommandContext& context) {
  PlanRequest request = context.plans.plan(StrategyKind::Prefix, 1, 1);
  request.plan.thinFirst = request.plan.thinLength = 0;
  return request;
}

Result<std::optional<CapturedRun>> repeatExplored(CommandContext& context,
                                                  const explore::ExplorationReport& explored,
                                                  const explore::FoundFailure& failure) {
  auto session = Session::create(context.sharedProgram(), context.sessions.options());
  if (!session)
    return session.error();
  PlanRequest request = planToExplore(context);
  request.plan.points = PointSet::Listed;
  request.listedSites = explored.sites;
  request.prefixes =
      explore::writePrefixes(explored.threads, {failure.schedule}, request.plan.firstSeed);
  auto report = session->execute(request, nullptr, /*wantLast=*/true);
  context.tally.judging += 1;
  if (!report)
    return report.error();
  if (!report->last || !context.notes.judgeEnd(*report->last))
    return std::optional<CapturedRun>();
  CapturedRun failing = capture(context, *report->last, request);
  failing.index = failure.firstRun;
  return std::optional<CapturedRun>(std::move(failing));
}

} // namespace heddle
