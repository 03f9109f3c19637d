#include "bench.h"

#include <fmt/core.h>

/// Runs a program once, directed at a race of its writes to `progress` with themselves, or, where
/// that is an object with units of work, at a pattern of their accesses. It is never triggered, so
/// every thread that comes there is held: the dearest kind of forced run.
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

/// W(begun_) R'(begun_) R'(ended_) W(ended_), of which the last one is never made.
Target unitsTarget(const SiteCatalog& sites) {
  struct Wanted {
    SiteKind kind;
    const char* object;
    const char* function;
  };
  constexpr Wanted wanted[] = {{SiteKind::Write, "Progress::begun_", "advance"},
                               {SiteKind::Read, "Progress::begun_", "isEven"},
                               {SiteKind::Read, "Progress::ended_", "isEven"},
                               {SiteKind::Write, "Progress::ended_", "advance"},
                               {SiteKind::Enter, "Progress", "advance"},
                               {SiteKind::Enter, "Progress", "isEven"}};
  Target target{};
  target.kind = TargetKind::AtomicSet;
  target.pattern = 8;
  target.windowLocks[0] = 1;
  for (const Wanted& one : wanted)
    for (const SiteEntry& entry : sites.entries())
      if (entry.kind == one.kind && entry.object == one.object &&
          entry.function.find(one.function) != std::string::npos)
        target.roles[target.roleCount++ % kMaxRoles] = {
            entry.identity, SiteIdentity::None, one.kind == SiteKind::Enter ? 0 : kEmptyContext};
  return target;
}

Target findTarget(const std::string& program) {
  Session session = openSession({program, "1"}, Isolation::Fork);
  PlanRequest request = makePlan(StrategyKind::NonPreemptive, Isolation::Fork, 1);
  request.plan.flags = kPlanDumpSites;
  runPlan(session, request);
  auto sites = session.sites();
  session.end();
  if (!sites)
    return {};
  Target race = progressTarget(**sites);
  return race.roleCount != 0 ? race : unitsTarget(**sites);
}

} // namespace

int measureForcing(const std::vector<std::string>& arguments) {
  Target target = findTarget(arguments.at(0));
  uint32_t wanted = target.kind == TargetKind::Race ? 2 : 6;
  if (target.roleCount != wanted) {
    fmt::print(stderr, "heddle-bench: {} has no write to `progress`, nor units on it\n",
               arguments.at(0));
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
