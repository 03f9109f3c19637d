#include "pipeline/forcing/forcing.h"

#include "control/interrupt.h"

#include <algorithm>
#include <atomic>

namespace heddle {

Forcing::Forcing(CommandContext& context) : context_(context) {
  rules_.trials = context.options().trials;
}

bool Forcing::SliceResult::failed() const {
  return std::any_of(stopped.begin(), stopped.end(), [](const CapturedRun& run) {
    return run.record.failure != FailureKind::None;
  });
}

ForcingRounds::Rules Forcing::rules() const {
  ForcingRounds::Rules rules = rules_;
  rules.isLong = context_.lengths.isLong();
  return rules;
}

PlanRequest Forcing::planFor(const ForcedSlice& slice, uint64_t done,
                             const Approach& approach) const {
  const ForcedCandidate& forced = rounds_.at(slice.candidate);
  uint64_t first = context_.options().seed + forced.runs + done;
  uint64_t runs = std::min(kRunsOfAWay, slice.runs - done);
  PlanRequest request = context_.plans.plan(StrategyKind::Directed, first, runs);
  if (!slice.fine)
    request.plan.points = PointSet::Sync;
  request.plan.target = targetOf(forced.candidate);
  request.plan.approach = approach;
  if (forced.candidate.kind == TargetKind::AtomicSet)
    request.plan.thinFirst = 0; // a pattern is known by all of its accesses
  else if (!slice.fine)
    context_.plans.thinOut(request, request.plan.target.roleCount);
  return request;
}

void Forcing::runSlice(const ForcedSlice& slice, Session& session, SliceResult& result) {
  bool needsMeeting = !rounds_.at(slice.candidate).meeting;
  result.approaches = rounds_.at(slice.candidate).approaches;
  while (result.results.size() < slice.runs)
    if (!runWay(slice, session, result, needsMeeting))
      return;
}

bool Forcing::runWay(const ForcedSlice& slice, Session& session, SliceResult& result,
                     bool& needsMeeting) {
  size_t way = slice.varied ? result.approaches->leastTried() : result.approaches->next();
  PlanRequest request = planFor(slice, result.results.size(), result.approaches->at(way));
  request.plan.flags |= needsMeeting ? kPlanStopAtMeeting : 0u;
  auto report = session.execute(request);
  if (!report) {
    result.error = report.error();
    return false;
  }
  const std::vector<RunResult>& runs = report->results;
  result.results.insert(result.results.end(), runs.begin(), runs.end());
  result.killed += report->killed;
  auto met = std::count_if(runs.begin(), runs.end(), [](const auto& r) { return r.meetings != 0; });
  result.approaches->note(way, runs.size(), static_cast<uint64_t>(met));
  if (report->stop == BatchStop::Meeting)
    needsMeeting = false;
  if (report->last)
    if (Status status = take(request, std::move(*report->last), result); !status) {
      result.error = status.error();
      return false;
    }
  return !report->interrupted && report->stop != BatchStop::WallTime;
}

Status Forcing::take(const PlanRequest& request, RunRecord record, SliceResult& result) const {
  if (Status status = requireControl(record); !status)
    return status;
  bool failed = context_.notes.judgeEnd(record);
  if (!failed && record.result.meetings == 0)
    return Success{};
  if (!failed)
    record.failure = FailureKind::None;
  CapturedRun run = capture(context_, std::move(record), request);
  run.index = result.results.size();
  result.stopped.push_back(std::move(run));
  return Success{};
}

void Forcing::merge(const ForcedSlice& slice, SliceResult& result) {
  ForcedCandidate& forced = rounds_.at(slice.candidate);
  context_.tally.outOfTime += result.killed;
  if (result.approaches)
    forced.approaches = *result.approaches;
  for (CapturedRun& run : result.stopped) {
    keepPoints(context_, run);
    // What is pursued explains a failure that was found before.
    run.index = context_.tally.runs + (rules_.pursued ? 0 : run.index);
    forced.add(std::move(run));
  }
  for (const RunResult& run : result.results) {
    bool failed = run.outcome == heddle::Outcome::Failed || context_.notes.isBadExit(run);
    if (rules_.pursued)
      ++context_.tally.judging;
    else
      context_.count(run, failed);
    forced.add(run, failed, slice.varied);
  }
}

void Forcing::showProgress(const SliceResult& result, bool isNew) {
  std::lock_guard lock(progressMutex_);
  progress_.runs += result.results.size();
  bool met = std::any_of(result.results.begin(), result.results.end(),
                         [](const RunResult& run) { return run.meetings != 0; });
  progress_.cameAbout += isNew && met;
  for (const CapturedRun& run : result.stopped)
    progress_.findings += run.record.failure != FailureKind::None;
  context_.showProgress(progress_);
}

Status Forcing::runRound(const std::vector<ForcedSlice>& slices,
                         std::vector<SliceResult>& results) {
  std::vector<std::atomic<bool>> cancelled(slices.size());
  auto job = [&](size_t index, Session& session) {
    if (cancelled[index] || context_.budget.mustEnd())
      return;
    session.setCancel(&cancelled[index]);
    runSlice(slices[index], session, results[index]);
    session.setCancel(nullptr);
    showProgress(results[index], rounds_.at(slices[index].candidate).met == 0);
    bool ends = results[index].error || (rules_.stopAtFailure && results[index].failed());
    for (size_t later = index + 1; ends && later < slices.size(); ++later)
      cancelled[later] = true;
  };
  return context_.workers().run(slices.size(), job);
}

Result<Forcing::Outcome> Forcing::force(const std::vector<Candidate>& candidates) {
  bool isLong = context_.lengths.isLong();
  for (const Candidate& candidate :
       isLong ? rareFirst(candidates, context_.plans.points().executions) : candidates)
    rounds_.add(candidate);
  return forceOpen();
}

Result<Forcing::Outcome> Forcing::pursue(const Candidate& suspect) {
  rules_.pursued = rounds_.add(suspect);
  auto outcome = forceOpen();
  rules_.pursued.reset();
  return outcome;
}

Result<Forcing::Outcome> Forcing::forceOpen() {
  Outcome outcome;
  progress_.stage = "forcing";
  progress_.candidates = forced().size();
  for (;;) {
    progress_.runs = context_.tally.runs;
    std::vector<ForcedSlice> slices = rounds_.nextRound(rules());
    if (slices.empty() || interrupted())
      return outcome;
    if (!rules_.pursued)
      limitRuns(slices, context_.budget.runsLeft());
    if (slices.empty() || context_.budget.mustEnd()) {
      outcome.outOfBudget = true;
      return outcome;
    }
    std::vector<SliceResult> results(slices.size());
    if (Status status = runRound(slices, results); !status)
      return status.error();
    uint64_t before = context_.tally.runs + context_.tally.judging;
    mergeRound(slices, results, outcome);
    bool stuck = context_.tally.runs + context_.tally.judging == before;
    if (outcome.lost || stuck)
      return outcome;
  }
}

void Forcing::mergeRound(const std::vector<ForcedSlice>& slices, std::vector<SliceResult>& results,
                         Outcome& outcome) {
  for (size_t i = 0; i < slices.size() && !outcome.lost; ++i) {
    merge(slices[i], results[i]);
    outcome.lost = results[i].error;
    if (rules_.stopAtFailure && rounds_.at(slices[i].candidate).failed())
      break; // what came after it was cancelled, sooner or later
  }
  context_.workers().visitSessions([&](Session& session) { context_.notes.noteModules(session); });
}

} // namespace heddle
