#include "pipeline/forcing.h"

#include "control/interrupt.h"
#include "pipeline/cause.h"
#include "pipeline/first_run.h"

#include <algorithm>

namespace heddle {
namespace {

/// Runs of a candidate after each round.
constexpr uint64_t kRounds[] = {4, 12, 20, 50, 100};
/// Runs in which a role was never played, after which nobody waits for it any longer.
constexpr uint64_t kRunsToReach = 50;
/// Runs of a candidate that came about, before it is believed that nothing fails.
constexpr uint64_t kRunsToHarm = 12;
/// The same for one that is suspected to be the cause of a failure.
constexpr uint64_t kRunsOfASuspect = 20;
/// Of a pattern that may be the cause of a failure at hand.
constexpr uint64_t kRunsToExplain = 50;
constexpr size_t kMostFailures = 16; ///< different ones of a candidate
/// Runs without preemption that are tried to get kControlRuns in which a pattern stays away.
constexpr uint64_t kMostControlRuns = 3 * kControlRuns;

/// In long runs there is time for few candidates: those with an access that is executed seldom come
/// first. A forced run brings them about at once, and chance hardly ever; accesses that are
/// executed all the time are interleaved by all other runs, too, and forcing them takes long.
std::vector<Candidate> rareFirst(const std::vector<Candidate>& candidates,
                                 const std::map<uint64_t, uint64_t>& executions) {
  auto rarest = [&](const Candidate& candidate) {
    uint64_t least = UINT64_MAX; // also of sites of which nobody has seen that they share memory
    for (const CandidateSide& side : candidate.sides)
      if (auto known = executions.find(raw(side.site)); known != executions.end())
        least = std::min(least, known->second);
    return least;
  };
  std::vector<std::pair<uint64_t, size_t>> order; // those that are equally rare stay in order
  for (const Candidate& candidate : candidates)
    order.emplace_back(rarest(candidate), order.size());
  std::sort(order.begin(), order.end());
  std::vector<Candidate> sorted;
  for (auto [executed, index] : order)
    sorted.push_back(candidates[index]);
  return sorted;
}

uint64_t nextRoundAfter(uint64_t runs) {
  for (uint64_t round : kRounds)
    if (runs < round)
      return round;
  return runs;
}

bool orderIsJudged(const ForcedCandidate& forced, int order) {
  // What fails in this order must be absent in the other one to be its fault.
  return forced.orders[order].failures == 0 || forced.onlyOrder[1 - order].runs >= kControlRuns ||
         forced.orders[1 - order].failures != 0;
}

} // namespace

bool ForcedCandidate::allReached() const {
  uint32_t all = (1u << targetOf(candidate).roleCount) - 1;
  return (reached & all) == all;
}

bool ForcedCandidate::leadsTo(const std::string& cause) const {
  auto failure = failures.find(cause);
  return failure != failures.end() && failure->second.met;
}

double ForcedCandidate::shareOf(const std::string& cause) const {
  auto failure = failures.find(cause);
  return failure == failures.end() || met == 0 ? 0 : double(failure->second.metCount) / double(met);
}

bool ForcedCandidate::leadsToFailure() const {
  return std::any_of(failures.begin(), failures.end(),
                     [](const auto& failure) { return failure.second.met; });
}

Forcing::Forcing(CommandContext& context)
    : context_(context),
      workers_(context.sharedProgram(), context.sessions.options(), context.sessions.jobs()) {}

uint64_t Forcing::wantedRuns(const ForcedCandidate& forced) const {
  if (context_.options().trials != 0)
    return context_.options().trials;
  if (forced.met == 0)
    return forced.runs >= kRunsToReach && !forced.allReached() ? 0
           : forced.runs == 0 && context_.lengths.isLong()     ? 1
                                                               : nextRoundAfter(forced.runs);
  if (forced.candidate.kind == TargetKind::LockCycle)
    return 0; // every meeting is the deadlock
  if (forced.candidate.kind == TargetKind::AtomicSet) {
    // How often it fails tells patterns apart of which one lies inside the other.
    bool fails = forced.leadsToFailure();
    uint64_t enough = pursued_ && fails         ? kRunsOfASuspect
                      : seeksFailure_ && !fails ? kRunsToExplain
                                                : kRunsToHarm;
    return forced.runs >= enough ? 0 : nextRoundAfter(forced.runs);
  }
  bool bothOrders = forced.orders[0].runs != 0 && forced.orders[1].runs != 0;
  bool judged = forced.failed() ? orderIsJudged(forced, 0) && orderIsJudged(forced, 1)
                                : forced.runs >= (pursued_ ? kRunsOfASuspect : kRunsToHarm);
  return bothOrders && judged ? 0 : nextRoundAfter(forced.runs);
}

bool Forcing::mayRun(size_t candidate) const {
  if (pursued_)
    return candidate == *pursued_;
  bool stopped = stopAtFailure_ && std::any_of(forced_.begin(), forced_.end(),
                                               [](const auto& f) { return f.failed(); });
  return !stopped || forced_[candidate].leadsToFailure();
}

std::vector<Forcing::Slice> Forcing::nextRound() const {
  std::vector<Slice> slices;
  // What a race breaks is often broken right behind the access; whether it comes about, and how
  // often, is found out without points that are not its own.
  bool mayBeFine = context_.options().trials == 0;
  for (size_t i = 0; i < forced_.size(); ++i)
    if (uint64_t wanted = wantedRuns(forced_[i]); wanted > forced_[i].runs && mayRun(i)) {
      bool met = mayBeFine && forced_[i].met != 0;
      bool isPattern = forced_[i].candidate.kind == TargetKind::AtomicSet;
      slices.push_back(
          {i, wanted - forced_[i].runs, met && !isPattern, met && isPattern && seeksFailure_});
    }
  return slices;
}

PlanRequest Forcing::planFor(const Slice& slice, uint64_t done, const Approach& approach) const {
  const ForcedCandidate& forced = forced_[slice.candidate];
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

void Forcing::runSlice(const Slice& slice, Session& session, SliceResult& result) {
  bool needsMeeting = !forced_[slice.candidate].meeting;
  result.approaches = forced_[slice.candidate].approaches;
  while (result.results.size() < slice.runs)
    if (!runWay(slice, session, result, needsMeeting))
      return;
}

bool Forcing::runWay(const Slice& slice, Session& session, SliceResult& result,
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
  FailingRun run = capture(context_, std::move(record), request);
  run.index = result.results.size();
  result.stopped.push_back(std::move(run));
  return Success{};
}

void Forcing::merge(const Slice& slice, SliceResult& result) {
  ForcedCandidate& forced = forced_[slice.candidate];
  context_.tally.outOfTime += result.killed;
  if (result.approaches)
    forced.approaches = *result.approaches;
  for (FailingRun& run : result.stopped) {
    keepPoints(context_, run);
    // What is pursued explains a failure that was found before.
    run.index = context_.tally.runs + (pursued_ ? 0 : run.index);
    if (run.record.failure == FailureKind::None) {
      if (!forced.meeting)
        forced.meeting = std::move(run);
      continue;
    }
    std::string key = causeOf(run);
    if (forced.failures.size() == kMostFailures && !forced.failures.contains(key))
      continue;
    ForcedFailure& failure = forced.failures[key];
    const RunResult& ended = run.record.result;
    failure.orders |= ended.orders;
    failure.metCount += ended.meetings != 0;
    uint32_t sides = run.record.meeting ? run.record.meeting->sideCount : 0;
    uint32_t sidesBefore = failure.run.record.meeting ? failure.run.record.meeting->sideCount : 0;
    bool better = failure.count++ == 0 || (!failure.met && ended.meetings != 0) ||
                  (failure.met && sides > sidesBefore);
    if (!better)
      continue;
    failure.met = ended.meetings != 0;
    failure.run = std::move(run);
  }
  for (const RunResult& run : result.results) {
    bool failed = run.outcome == heddle::Outcome::Failed || context_.notes.isBadExit(run);
    if (pursued_)
      context_.tally.judging += 1;
    else
      context_.count(run, failed);
    ++forced.runs;
    forced.met += run.meetings != 0;
    forced.varied.runs += slice.varied;
    forced.varied.met += slice.varied && run.meetings != 0;
    if (run.meetings != 0 && forced.firstMet == 0)
      forced.firstMet = forced.runs;
    forced.thrashings += run.thrashings;
    forced.reached |= run.reached;
    for (int order = 0; order < 2; ++order) {
      uint32_t bit = order == 0 ? kFirstRoleFirst : kSecondRoleFirst;
      if (!(run.orders & bit))
        continue;
      ++forced.orders[order].runs;
      forced.orders[order].failures += failed;
      forced.onlyOrder[order].runs += run.orders == bit;
      forced.onlyOrder[order].failures += run.orders == bit && failed;
    }
  }
}

void Forcing::showProgress(const SliceResult& result, bool isNew) {
  std::lock_guard lock(progressMutex_);
  progress_.runs += result.results.size();
  bool met = std::any_of(result.results.begin(), result.results.end(),
                         [](const RunResult& run) { return run.meetings != 0; });
  progress_.cameAbout += isNew && met;
  for (const FailingRun& run : result.stopped)
    progress_.findings += run.record.failure != FailureKind::None;
  context_.showProgress(progress_);
}

Status Forcing::runRound(const std::vector<Slice>& slices, std::vector<SliceResult>& results) {
  std::vector<std::atomic<bool>> cancelled(slices.size());
  auto job = [&](size_t index, Session& session) {
    if (cancelled[index] || context_.budget.mustEnd())
      return;
    session.setCancel(&cancelled[index]);
    runSlice(slices[index], session, results[index]);
    session.setCancel(nullptr);
    showProgress(results[index], forced_[slices[index].candidate].met == 0);
    bool failed =
        std::any_of(results[index].stopped.begin(), results[index].stopped.end(),
                    [](const FailingRun& run) { return run.record.failure != FailureKind::None; });
    bool ends = results[index].error || (failed && stopAtFailure_);
    for (size_t later = index + 1; ends && later < slices.size(); ++later)
      cancelled[later] = true;
  };
  return workers_.run(slices.size(), job);
}

size_t Forcing::add(const Candidate& candidate) {
  auto [known, isNew] = known_.try_emplace(keyOf(candidate), forced_.size());
  if (isNew)
    forced_.emplace_back(candidate);
  return known->second;
}

Result<Forcing::Outcome> Forcing::force(const std::vector<Candidate>& candidates) {
  bool isLong = context_.lengths.isLong();
  for (const Candidate& candidate :
       isLong ? rareFirst(candidates, context_.plans.points().executions) : candidates)
    add(candidate);
  return forceOpen();
}

Result<Forcing::Outcome> Forcing::pursue(const Candidate& suspect) {
  pursued_ = add(suspect);
  auto outcome = forceOpen();
  pursued_.reset();
  return outcome;
}

Result<Forcing::Outcome> Forcing::forceOpen() {
  Outcome outcome;
  progress_.stage = "forcing";
  progress_.candidates = forced_.size();
  for (;;) {
    progress_.runs = context_.tally.runs;
    std::vector<Slice> slices = nextRound();
    if (slices.empty() || interrupted())
      return outcome;
    if (!pursued_)
      limitRuns(slices);
    if (slices.empty() || context_.budget.mustEnd()) {
      outcome.outOfBudget = true;
      return outcome;
    }
    std::vector<SliceResult> results(slices.size());
    if (Status status = runRound(slices, results); !status)
      return status.error();
    uint64_t before = context_.tally.runs + context_.tally.judging;
    for (size_t i = 0; i < slices.size() && !outcome.lost; ++i) {
      merge(slices[i], results[i]);
      if (results[i].error)
        outcome.lost = results[i].error;
      if (stopAtFailure_ && forced_[slices[i].candidate].failed())
        break; // what came behind it was cancelled, sooner or later
    }
    workers_.visitSessions([&](Session& session) { context_.notes.noteModules(session); });
    bool stuck = context_.tally.runs + context_.tally.judging == before;
    if (outcome.lost || stuck)
      return outcome;
  }
}

void Forcing::limitRuns(std::vector<Slice>& slices) const {
  auto left = context_.budget.runsLeft();
  for (size_t i = 0; left && i < slices.size(); ++i) {
    slices[i].runs = std::min(slices[i].runs, *left);
    *left -= slices[i].runs;
  }
  std::erase_if(slices, [](const Slice& slice) { return slice.runs == 0; });
}

Result<bool> Forcing::addControlRuns(StrategyKind strategy, Session& session,
                                     std::set<std::string>& failures) {
  for (uint64_t done = 0; done < kControlRuns;) {
    PlanRequest request =
        context_.plans.plan(strategy, context_.options().seed + done, kControlRuns - done);
    request.plan.points = PointSet::Sync;
    auto report = session.execute(request);
    if (!report)
      return report.error();
    if (report->results.empty())
      return false;
    done += report->results.size();
    context_.tally.judging += report->results.size();
    if (report->last && context_.notes.judgeEnd(*report->last))
      failures.insert(causeOf(capture(context_, std::move(*report->last), request)));
  }
  return true;
}

Result<std::optional<std::set<std::string>>> Forcing::failuresWithout(const Candidate& pattern) {
  std::set<std::string> failures;
  uint64_t without = 0;
  Status status = Success{};
  auto job = [&](size_t, Session& session) {
    for (uint64_t i = 0; i < kMostControlRuns && without < kControlRuns && status; ++i) {
      PlanRequest request =
          context_.plans.plan(StrategyKind::RunToBlock, context_.options().seed + i, 1);
      request.plan.points = PointSet::Sync;
      request.plan.target = targetOf(pattern);
      auto report = session.execute(request);
      if (!report)
        status = report.error();
      if (!report || report->results.empty()) // interrupted, or out of time
        return;
      const RunResult& run = report->results[0];
      context_.tally.judging += 1;
      if (run.meetings != 0)
        continue;
      ++without;
      if (report->last && context_.notes.judgeEnd(*report->last))
        failures.insert(causeOf(capture(context_, std::move(*report->last), request)));
    }
  };
  if (Status ran = workers_.run(1, job); !ran)
    return ran.error();
  if (!status)
    return status.error();
  if (without < kControlRuns)
    return std::optional<std::set<std::string>>();
  return std::optional(failures);
}

Result<std::vector<FailingRun>> Forcing::witnesses(const std::string& cause) {
  if (auto known = witnesses_.find(cause); known != witnesses_.end())
    return known->second;
  std::vector<FailingRun> found;
  Status status = Success{};
  auto job = [&](size_t, Session& session) {
    for (uint64_t done = 0; done < kWitnessRuns && found.size() < kMostWitnesses;) {
      PlanRequest request = context_.plans.plan(
          StrategyKind::Random, context_.options().seed + done, kWitnessRuns - done);
      auto report = session.execute(request);
      if (!report)
        status = report.error();
      if (!report || report->results.empty())
        return;
      done += report->results.size();
      context_.tally.judging += report->results.size();
      if (!report->last || !context_.notes.judgeEnd(*report->last))
        continue;
      FailingRun failing = capture(context_, std::move(*report->last), request);
      if (causeOf(failing) == cause)
        found.push_back(std::move(failing));
    }
  };
  if (Status ran = workers_.run(1, job); !ran)
    return ran.error();
  if (!status)
    return status.error();
  witnesses_[cause] = found;
  return found;
}

Result<uint64_t> Forcing::randomRunsWithout(const Candidate& pattern, uint64_t wanted) {
  uint64_t without = 0;
  Status status = Success{};
  auto job = [&](size_t, Session& session) {
    for (uint64_t done = 0; done < kWitnessRuns && without < wanted;) {
      uint64_t next = std::min(kWitnessRuns - done, wanted - without);
      PlanRequest request =
          context_.plans.plan(StrategyKind::Random, context_.options().seed + done, next);
      request.plan.target = targetOf(pattern);
      auto report = session.execute(request);
      if (!report)
        status = report.error();
      if (!report || report->results.empty())
        return;
      done += report->results.size();
      context_.tally.judging += report->results.size();
      for (const RunResult& run : report->results)
        without += run.meetings == 0;
    }
  };
  if (Status ran = workers_.run(1, job); !ran)
    return ran.error();
  if (!status)
    return status.error();
  return without;
}

Result<std::optional<std::set<std::string>>> Forcing::failuresWithoutRaces() {
  if (withoutRaces_)
    return withoutRaces_;
  std::set<std::string> failures;
  Result<bool> complete = true;
  auto job = [&](size_t, Session& session) {
    for (StrategyKind strategy : {StrategyKind::RunToBlock, StrategyKind::Random})
      if (complete && *complete)
        complete = addControlRuns(strategy, session, failures);
  };
  if (Status ran = workers_.run(1, job); !ran)
    return ran.error();
  if (!complete)
    return complete.error();
  if (*complete)
    withoutRaces_ = failures;
  return withoutRaces_;
}

} // namespace heddle
