#include "bench.h"

#include <fmt/core.h>

/// Runs a program once, directed at a race of its writes to `progress` with themselves. It never
/// comes about, so every thread that comes there is postponed: the dearest kind of forced run.
/// Prints one line for bench/run: CPU seconds of the program, scheduling points.
namespace heddle::bench {

namespace {

Target progressTarget(const SiteCatalog& sites) {
  Target target{};
  target.kind = TargetKind::Race;
  for (const SiteEntry& entry : sites.entries())
    if (entry.kind == SiteKind::Write && entry.object.starts_with("progress") &&
        target.roleCount < 2)
      target.roles[target.roleCount++] = {entry.identity, SiteIdentity::None, 0};
  if (target.roleCount == 1)
    target.roles[target.roleCount++] = target.roles[0];
  return target;
}

Target findTarget(const std::string& program) {
  Session session = openSession({program, "1"}, Isolation::Fork);
  PlanRequest request = makePlan(StrategyKind::NonPreemptive, Isolation::Fork, 1);
  request.plan.flags = kPlanDumpSites;
  runPlan(session, request);
  auto sites = session.sites();
  session.end();
  return sites ? progressTarget(**sites) : Target{};
}

} // namespace

int measureForcing(const std::vector<std::string>& arguments) {
  Target target = findTarget(arguments.at(0));
  if (target.roleCount != 2) {
    fmt::print(stderr, "heddle-bench: {} has no write to `progress`\n", arguments.at(0));
    return 1;
  }
  double before = childSeconds();
  uint64_t steps = 0;
  bool reached = false;
  {
    Session session = openSession(arguments, Isolation::Fork);
    PlanRequest request = makePlan(StrategyKind::Directed, Isolation::Fork, 1);
    request.plan.points = PointSet::Sync;
    request.plan.target = target;
    BatchReport report = runPlan(session, request);
    steps = report.results.at(0).steps;
    reached = report.results.at(0).reached != 0;
    session.end();
  }
  fmt::print("{{\"seconds\": {:.4f}, \"steps\": {}}}\n", childSeconds() - before, steps);
  if (!reached)
    fmt::print(stderr, "heddle-bench: {} did not come to its target\n", arguments.at(0));
  return reached ? 0 : 1;
}

} // namespace heddle::bench
