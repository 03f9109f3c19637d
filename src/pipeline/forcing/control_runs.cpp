#include "pipeline/forcing/control_runs.h"

#include "pipeline/forcing/forcing_rounds.h"
#include "pipeline/runs/cause.h"

#include <algorithm>

namespace heddle {
namespace {

/// Runs without preemption that are tried to get kControlRuns in which a pattern stays away.
constexpr uint64_t kMaxControlRuns = 3 * kControlRuns;

} // namespace

Result<bool> ControlRuns::make(const Next& next, const Take& take) {
  Result<bool> complete = true;
  auto job = [&](size_t, Session& session) {
    while (auto request = next()) {
      auto report = session.execute(*request);
      if (!report)
        complete = report.error();
      else if (report->results.empty()) // interrupted, or out of time
        complete = false;
      if (!complete || !*complete)
        return;
      context_.tally.judging += report->results.size();
      take(*report, *request);
    }
  };
  Status ran = context_.workers().run(1, job);
  return ran ? complete : ran.error();
}

void ControlRuns::addFailure(BatchReport& report, const PlanRequest& request,
                             std::set<std::string>& failures) const {
  if (report.last && context_.notes.judgeEnd(*report.last))
    failures.insert(causeOf(capture(context_, std::move(*report.last), request)));
}

Result<std::optional<std::set<std::string>>> ControlRuns::failuresWithoutRaces(bool timeAny) {
  if (auto known = withoutRaces_.find(timeAny); known != withoutRaces_.end())
    return std::optional(known->second);
  std::set<std::string> failures;
  for (StrategyKind strategy : {StrategyKind::RunToBlock, StrategyKind::Random}) {
    uint64_t done = 0;
    auto next = [&]() -> std::optional<PlanRequest> {
      if (done >= kControlRuns)
        return std::nullopt;
      PlanRequest request =
          context_.plans.plan(strategy, context_.options().seed + done, kControlRuns - done);
      request.plan.points = PointSet::Sync;
      request.plan.flags |= timeAny ? kPlanTimeAny : 0u;
      return request;
    };
    auto complete = make(next, [&](BatchReport& report, const PlanRequest& request) {
      done += report.results.size();
      addFailure(report, request, failures);
    });
    if (!complete)
      return complete.error();
    if (!*complete)
      return std::optional<std::set<std::string>>();
  }
  withoutRaces_[timeAny] = failures;
  return std::optional(std::move(failures));
}

Result<std::optional<std::set<std::string>>>
ControlRuns::failuresWithout(const Candidate& pattern) {
  std::set<std::string> failures;
  uint64_t without = 0;
  uint64_t tried = 0;
  auto next = [&]() -> std::optional<PlanRequest> {
    if (tried == kMaxControlRuns || without == kControlRuns)
      return std::nullopt;
    PlanRequest request =
        context_.plans.plan(StrategyKind::RunToBlock, context_.options().seed + tried++, 1);
    request.plan.points = PointSet::Sync;
    request.plan.target = targetOf(pattern);
    return request;
  };
  auto complete = make(next, [&](BatchReport& report, const PlanRequest& request) {
    if (report.results[0].meetings != 0)
      return;
    ++without;
    addFailure(report, request, failures);
  });
  if (!complete)
    return complete.error();
  if (without < kControlRuns)
    return std::optional<std::set<std::string>>();
  return std::optional(failures);
}

Result<std::vector<CapturedRun>> ControlRuns::witnesses(const std::string& cause) {
  if (auto known = witnesses_.find(cause); known != witnesses_.end())
    return known->second;
  std::vector<CapturedRun> found;
  uint64_t done = 0;
  auto next = [&]() -> std::optional<PlanRequest> {
    if (done >= kWitnessRuns || found.size() >= kMaxWitnesses)
      return std::nullopt;
    return context_.plans.plan(StrategyKind::Random, context_.options().seed + done,
                               kWitnessRuns - done);
  };
  auto complete = make(next, [&](BatchReport& report, const PlanRequest& request) {
    done += report.results.size();
    if (!report.last || !context_.notes.judgeEnd(*report.last))
      return;
    CapturedRun failing = capture(context_, std::move(*report.last), request);
    if (causeOf(failing) == cause)
      found.push_back(std::move(failing));
  });
  if (!complete)
    return complete.error();
  witnesses_[cause] = found;
  return found;
}

Result<uint64_t> ControlRuns::randomRunsWithout(const Candidate& pattern, uint64_t wanted) {
  uint64_t without = 0;
  uint64_t done = 0;
  auto next = [&]() -> std::optional<PlanRequest> {
    if (done >= kWitnessRuns || without >= wanted)
      return std::nullopt;
    PlanRequest request = context_.plans.plan(StrategyKind::Random, context_.options().seed + done,
                                              std::min(kWitnessRuns - done, wanted - without));
    request.plan.target = targetOf(pattern);
    return request;
  };
  auto complete = make(next, [&](BatchReport& report, const PlanRequest&) {
    done += report.results.size();
    without += std::count_if(report.results.begin(), report.results.end(),
                             [](const RunResult& run) { return run.meetings == 0; });
  });
  return complete ? Result(without) : complete.error();
}

} // namespace heddle
