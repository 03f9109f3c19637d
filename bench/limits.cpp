#include "bench.h"

#include <algorithm>
#include <fmt/core.h>

/// Large programs: 1,000 threads; 10 million recorded events; 10⁹ accesses of which 10⁶ are to
/// shared memory. Each within 2 GB.
namespace heddle::bench {

namespace {

constexpr double kGigabytes = 2.0;

bool withinMemory(const char* what) {
  return verdict(fmt::format("{}: peak memory of the program, GB", what),
                 static_cast<double>(childPeakBytes()) / 1e9, "<=", kGigabytes);
}

bool manyThreads(const std::string& program) {
  double begin = wallSeconds();
  BatchReport report;
  {
    Session session = openSession({program}, Isolation::Fork);
    report = runPlan(session, makePlan(StrategyKind::Random, Isolation::Fork, 1));
    session.end();
  }
  fmt::print("1,000 threads: {:.2f} s\n", wallSeconds() - begin);
  bool ok = verdict("threads of the run", report.results.at(0).peakThreads, ">=", 1001);
  return ok & withinMemory("1,000 threads");
}

bool manyEvents(const std::string& program) {
  double begin = wallSeconds();
  uint64_t received = 0;
  uint64_t announced = 0;
  {
    Session session = openSession({program, "10000000"}, Isolation::Fork);
    PlanRequest request = makePlan(StrategyKind::NonPreemptive, Isolation::Fork, 1);
    request.plan.flags = kPlanRecord;
    BatchReport report = runPlan(session, request,
                                 [&](std::span<const Event> events) { received += events.size(); });
    announced = report.results.at(0).events;
    session.end();
  }
  fmt::print("10 million recorded events: {:.2f} s\n", wallSeconds() - begin);
  bool ok = verdict("events received, millions", static_cast<double>(received) / 1e6, ">=", 10);
  ok &= verdict("events lost", static_cast<double>(announced - received), "<=", 0);
  return ok & withinMemory("10 million events");
}

std::vector<uint64_t> sharedSites(Session& session) {
  PlanRequest request = makePlan(StrategyKind::Random, Isolation::Fork, 1);
  request.plan.flags = kPlanLearn | kPlanDumpSites;
  runPlan(session, request);
  auto sites = session.sites();
  std::vector<uint64_t> identities;
  if (sites)
    for (const SiteEntry& entry : (*sites)->entries())
      if (entry.learned & kLearnedShared)
        identities.push_back(raw(entry.identity));
  std::sort(identities.begin(), identities.end());
  return identities;
}

bool manyAccesses(const std::string& program) {
  double begin = wallSeconds();
  uint64_t received = 0;
  size_t shared = 0;
  {
    Session session = openSession({program}, Isolation::Fork);
    std::vector<uint64_t> sites = sharedSites(session);
    shared = sites.size();
    double learned = wallSeconds();
    fmt::print("10⁹ accesses: {} shared sites found in {:.1f} s\n", shared, learned - begin);
    PlanRequest request = makePlan(StrategyKind::NonPreemptive, Isolation::Fork, 1);
    request.plan.flags = kPlanRecordListed;
    request.listedSites = std::move(sites);
    request.plan.listedSites = request.listedSites.size();
    runPlan(session, request, [&](std::span<const Event> events) { received += events.size(); });
    session.end();
    fmt::print("10⁹ accesses: {} events recorded in {:.1f} s\n", received, wallSeconds() - learned);
  }
  bool ok =
      verdict("events of shared accesses, millions", static_cast<double>(received) / 1e6, ">=", 1);
  ok &=
      verdict("events of shared accesses, millions", static_cast<double>(received) / 1e6, "<=", 5);
  return ok & withinMemory("10⁹ accesses");
}

} // namespace

int measureLimits(const std::vector<std::string>& arguments) {
  bool ok = manyThreads(arguments.at(0));
  ok &= manyEvents(arguments.at(1));
  ok &= manyAccesses(arguments.at(2));
  return ok ? 0 : 1;
}

} // namespace heddle::bench
