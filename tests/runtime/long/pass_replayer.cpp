// pass_replayer PROGRAM unthinned|thinned|thinned-sync|whole|whole-sync [REPLAYS]
//
// A controller for tests: explores PROGRAM in windows of passes, or in whole runs with points that
// are thinned out, until runs have failed, and follows the schedule of each of them in a fresh
// process, the first one so often. All of them must end as they did, with the same digest.
#include "control/program.h"
#include "control/session.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

using namespace heddle;

namespace {

constexpr uint64_t kMaxPasses = 40;
constexpr uint64_t kWantedFailures = 3;
constexpr uint64_t kMaxSyncBlocks = 16;

Session openSession(const std::shared_ptr<const Program>& program, Isolation isolation) {
  SessionOptions options;
  options.isolation = isolation;
  options.isolationFixed = true;
  auto session = Session::create(program, options);
  if (!session) {
    fprintf(stderr, "%s\n", session.error().message.c_str());
    exit(1);
  }
  return std::move(*session);
}

PlanRequest makePlan(StrategyKind strategy, uint64_t seed, uint64_t runs) {
  PlanRequest request;
  request.plan.strategy = strategy;
  request.plan.firstSeed = seed;
  request.plan.runCount = runs;
  request.plan.points = PointSet::All;
  request.plan.flags = kPlanCheckHeap | kPlanDumpSites;
  request.plan.timeBase = 1'704'067'200ull * 1'000'000'000ull;
  request.plan.pctDepth = 3;
  request.plan.estimatedSteps = 512;
  return request;
}

RunRecord execute(Session& session, const PlanRequest& request) {
  auto report = session.execute(request, nullptr, true);
  if (!report || !report->last) {
    fprintf(stderr, "%s\n", report ? "no run was made" : report.error().message.c_str());
    exit(1);
  }
  return std::move(*report->last);
}

bool replays(const std::shared_ptr<const Program>& program, const RunRecord& found) {
  PlanRequest request = makePlan(StrategyKind::Replay, found.result.seed, 1);
  request.plan.windowFirst = found.result.windowFirst;
  request.plan.windowLength = found.result.windowLength;
  request.plan.thinFirst = found.result.thinFirst;
  request.plan.thinLength = found.result.thinLength;
  request.plan.thinSeed = found.result.thinSeed;
  request.plan.thinSync = found.result.thinSync;
  request.schedule = found.decisions;
  Session session = openSession(program, Isolation::Exec);
  RunRecord again = execute(session, request);
  printf("window %llu thin %llu sync %llu: %zu decisions, %llu steps; again: outcome %u, %llu "
         "steps %s\n",
         static_cast<unsigned long long>(found.result.windowFirst),
         static_cast<unsigned long long>(found.result.thinFirst),
         static_cast<unsigned long long>(found.result.thinSync), found.decisions.size(),
         static_cast<unsigned long long>(found.result.steps),
         static_cast<unsigned>(again.result.outcome),
         static_cast<unsigned long long>(again.result.steps), again.message.c_str());
  return again.result.outcome == found.result.outcome && again.result.digest == found.result.digest;
}

bool replaysOften(const std::shared_ptr<const Program>& program, const RunRecord& found,
                  int times) {
  for (int i = 0; i < times; ++i)
    if (!replays(program, found))
      return false;
  return true;
}

} // namespace

int main(int count, char** words) {
  if (count != 3 && count != 4)
    return 1;
  int times = count == 4 ? atoi(words[3]) : 1;
  auto read = locateProgram({words[1]});
  if (!read) {
    fprintf(stderr, "%s\n", read.error().message.c_str());
    return 1;
  }
  auto program = std::make_shared<const Program>(std::move(*read));
  bool whole = strncmp(words[2], "whole", 5) == 0;
  bool sync = strstr(words[2], "-sync") != nullptr;
  bool thinned = strcmp(words[2], "unthinned") != 0;
  Session session = openSession(program, whole ? Isolation::InPlace : Isolation::Fork);
  uint64_t failures = 0;
  uint64_t choices = 2000; // of a pass
  for (uint64_t pass = 0; pass < kMaxPasses && failures < kWantedFailures; ++pass) {
    PlanRequest request = makePlan(StrategyKind::Random, 1 + pass * 64, whole ? 8 : 33);
    request.plan.thinFirst = thinned ? 4 + pass : 0;
    request.plan.thinLength = 1 + pass % 5;
    request.plan.thinSync = sync ? kMaxSyncBlocks : 0;
    request.plan.windowLength = whole ? 0 : 256;
    request.plan.passChoices = choices;
    RunRecord last = execute(session, request);
    if (last.result.outcome != Outcome::Failed) {
      choices = last.result.choices;
      continue;
    }
    bool isWanted = whole || last.result.windowFirst != 0; // else the pass has failed by itself
    failures += isWanted;
    if (!replaysOften(program, last, failures == 1 ? times : 1))
      return 2;
  }
  printf("%llu failures\n", static_cast<unsigned long long>(failures));
  return failures == 0 ? 3 : 0;
}
