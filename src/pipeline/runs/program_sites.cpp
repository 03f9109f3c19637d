#include "pipeline/runs/program_sites.h"

namespace heddle {

Result<std::shared_ptr<const SiteCatalog>> describeSites(CommandContext& context) {
  auto session = Session::create(context.sharedProgram(), context.sessions.freshOptions());
  if (!session)
    return session.error();
  PlanRequest request = context.plans.plan(StrategyKind::NonPreemptive, 1, 1);
  request.plan.flags |= kPlanDumpSites | kPlanDescribeOnly;
  auto report = session->execute(request);
  if (!report)
    return report.error();
  return session->sites();
}

} // namespace heddle
