#include "pipeline/sampling.h"

#include "control/interrupt.h"
#include "pipeline/first_run.h"
#include "store/encoding.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

namespace heddle {
namespace {

constexpr uint64_t kFirstSliceRuns = 32;
constexpr uint64_t kLargestSliceRuns = 512;
/// PCT draws so many change points at most, however often nothing new came.
constexpr uint64_t kMostDepth = 16;
/// Of long runs, a slice of whole ones has so many, or fewer if they have more steps than this in
/// all: it shall not take much longer than a pass with windows.
constexpr uint64_t kLongSliceRuns = 8;
constexpr uint64_t kLongSliceSteps = 4'000'000;
/// Where sync operations are thinned out: in one of so many slices of whole runs at these they are
/// not.
constexpr uint64_t kSlicesAtEverySync = 4;

} // namespace

Sampling::Sampling(CommandContext& context, std::vector<StrategyKind> strategies,
                   Learning* learning, FailureSink sink)
    : context_(context), strategies_(std::move(strategies)), learning_(learning),
      sink_(std::move(sink)), goesOn_(context.options().keep_going),
      workers_(context.sharedProgram(), context.sessions.options(), context.sessions.jobs()) {
  selectSites();
}

void Sampling::selectSites() {
  selected_.clear();
  if (learning_)
    for (SiteIdentity site : learning_->candidates().sites())
      selected_.push_back(raw(site));
}

uint64_t Sampling::runsAllowed() const {
  if (auto left = context_.budget.runsLeft())
    return *left;
  uint64_t wanted = context_.options().runs;
  return wanted == 0 ? UINT64_MAX : wanted - std::min(wanted, planned_);
}

Sampling::Slice Sampling::nextSlice(uint64_t most) {
  uint64_t cycle = sliceNumber_ / strategies_.size();
  Slice slice;
  slice.number = sliceNumber_;
  slice.strategy = strategies_[sliceNumber_ % strategies_.size()];
  // With a mix, PCT's depth changes from one to the next: small depths reach most bugs sooner.
  uint64_t depth = strategies_.size() > 1 ? 2 + sliceNumber_ % 2 : context_.options().depth;
  slice.depth = static_cast<uint32_t>(std::max(depth, std::min(kMostDepth, depth + variety_)));
  slice.firstIndex = planned_;
  slice.runCount = std::min(kLargestSliceRuns, kFirstSliceRuns << std::min<uint64_t>(cycle, 8));
  if (mayUseWindows_ && context_.lengths.isLong()) {
    uint64_t parts = std::size(kPartsOfLongRuns);
    slice.part = kPartsOfLongRuns[sliceNumber_ % parts];
    slice.everySync =
        slice.part == Part::WholeAtSync && (sliceNumber_ / parts + 1) % kSlicesAtEverySync == 0;
    uint64_t whole = kLongSliceSteps / context_.lengths.stepsOfWholeRun(slice.everySync);
    slice.runCount = slice.part == Part::Windows ? PlanMaker::kPassRuns
                                                 : std::clamp<uint64_t>(whole, 1, kLongSliceRuns);
  }
  slice.runCount = std::min(slice.runCount, most);
  planned_ += slice.runCount;
  ++sliceNumber_;
  return slice;
}

std::vector<Sampling::Slice> Sampling::nextRound() {
  std::vector<Slice> slices;
  bool inWindows = mayUseWindows_ && context_.lengths.isLong(); // rounds are long enough
  uint64_t cycles = inWindows ? 1 : std::min<uint64_t>(round_ + 1, 4);
  uint64_t allowed = runsAllowed();
  for (uint64_t i = 0; i < strategies_.size() * cycles && allowed != 0; ++i) {
    slices.push_back(nextSlice(allowed));
    allowed -= slices.back().runCount;
  }
  ++round_;
  return slices;
}

PlanRequest Sampling::slicePlan(const Slice& slice, uint64_t done) const {
  PlanRequest request = context_.plans.plan(
      slice.strategy, context_.options().seed + slice.firstIndex + done, slice.runCount - done);
  request.plan.pctDepth = slice.depth;
  request.selectedSites = selectedFor(slice);
  if (slice.part == Part::Windows)
    context_.plans.exploreInWindows(request);
  if (slice.part == Part::WholeAtSync) {
    request.plan.points = PointSet::Sync;
    request.listedSites.clear();
    context_.plans.thinOut(request, 0);
    if (slice.everySync)
      request.plan.thinFirst = request.plan.thinSync = 0;
  }
  return request;
}

std::vector<uint64_t> Sampling::selectedFor(const Slice& slice) const {
  if (variety_ == 0)
    return selected_;
  // All events count in every second slice, and a half of the selected ones in the others.
  std::vector<uint64_t> chosen;
  for (uint64_t site : selected_)
    if (slice.number % 2 == 0 && (mix(site, slice.number) & 1) != 0)
      chosen.push_back(site);
  return chosen;
}

void Sampling::runSlice(const Slice& slice, Session& session, SliceResult& result) {
  result.part = slice.part;
  while (result.results.size() < slice.runCount) {
    size_t known = session.behaviours().size();
    size_t before = result.results.size();
    PlanRequest request = slicePlan(slice, before);
    auto report = session.execute(request);
    if (!report) {
      result.error = report.error();
      return;
    }
    result.results.insert(result.results.end(), report->results.begin(), report->results.end());
    takeBehaviours(session, known, before, result);
    result.killed += report->killed;
    if (report->last && report->last->result.outcome == heddle::Outcome::Cut &&
        result.cutPlace.empty())
      result.cutPlace = placeOf(*report->last);
    if (report->last && !takeLast(request, std::move(*report->last), result))
      return;
    if (report->interrupted || report->stop == BatchStop::WallTime)
      return;
  }
  result.complete = true;
}

void Sampling::takeBehaviours(const Session& session, size_t known, size_t from,
                              SliceResult& result) {
  std::span<const uint64_t> log = session.behaviours();
  for (size_t i = from; i < result.results.size(); ++i) {
    // A run that was lost has left some that are nobody's.
    size_t share = std::min<size_t>(result.results[i].newBehaviours, log.size() - known);
    result.results[i].newBehaviours = static_cast<uint32_t>(share);
    result.behaviours.insert(result.behaviours.end(), log.begin() + known,
                             log.begin() + known + share);
    known += share;
  }
}

bool Sampling::takeLast(const PlanRequest& request, RunRecord record, SliceResult& result) {
  if (Status status = requireControl(record); !status) {
    result.error = status.error();
    return false;
  }
  if (!context_.notes.judgeEnd(record))
    return true;
  FailingRun failing = capture(context_, std::move(record), request);
  failing.index = result.results.size();
  result.failures.push_back(std::move(failing));
  return goesOn_;
}

Status Sampling::runRound(const std::vector<Slice>& slices, std::vector<SliceResult>& results) {
  std::vector<std::atomic<bool>> cancelled(slices.size());
  auto job = [&](size_t index, Session& session) {
    if (cancelled[index] || context_.budget.mustEnd())
      return;
    session.setCancel(&cancelled[index]);
    runSlice(slices[index], session, results[index]);
    session.setCancel(nullptr);
    bool ends = results[index].error || (!results[index].failures.empty() && !goesOn_);
    for (size_t later = index + 1; ends && later < slices.size(); ++later)
      cancelled[later] = true;
  };
  return workers_.run(slices.size(), job);
}

Result<Sampling::Outcome> Sampling::sample() {
  Outcome outcome;
  for (;;) {
    std::vector<Slice> slices = nextRound();
    if (slices.empty()) {
      outcome.ending = "the number of runs was reached";
      break;
    }
    std::vector<SliceResult> results(slices.size());
    if (Status status = runRound(slices, results); !status)
      return status.error();
    noteIsolation(outcome);
    Progress progress = mergeRound(results, outcome);
    if (progress && *progress == RoundEnd::GoOn)
      progress = judgeProgress(outcome);
    if (!progress)
      return progress.error();
    if (*progress == RoundEnd::Stop)
      break;
    if (outcome.settled || (pause_ && pause_())) {
      outcome.paused = true;
      break;
    }
  }
  outcome.behaviours = behaviours_.size();
  outcome.variety = variety_;
  return outcome;
}

Sampling::Progress Sampling::mergeRound(std::vector<SliceResult>& results, Outcome& outcome) {
  std::vector<FailingRun> failures;
  RoundEnd end = RoundEnd::GoOn;
  for (auto slice = results.begin(); slice != results.end() && end == RoundEnd::GoOn; ++slice) {
    for (FailingRun& failing : slice->failures) {
      failing.index += context_.tally.runs;
      keepPoints(context_, failing);
      failures.push_back(std::move(failing));
    }
    mergeRuns(*slice);
    outcome.lost = slice->error;
    if (slice->error)
      end = RoundEnd::Stop;
    if (!failures.empty() && !goesOn_)
      break; // what comes behind was cancelled, sooner or later
  }
  if (failures.empty())
    return end;
  auto ends = sink_(failures);
  if (!ends)
    return ends.error();
  goesOn_ = true;
  if (*ends) {
    outcome.ending = kEndedByFailure;
    end = RoundEnd::Stop;
  }
  return end;
}

void Sampling::mergeRuns(const SliceResult& slice) {
  context_.tally.outOfTime += slice.killed;
  if (context_.tally.cutPlace.empty())
    context_.tally.cutPlace = slice.cutPlace;
  auto behaviour = slice.behaviours.begin();
  for (const RunResult& run : slice.results) {
    context_.count(run, context_.notes.isBadExit(run));
    context_.tally.last = run;
    bool inWindows = slice.part == Part::Windows;
    context_.tally.windows += run.windowFirst != 0;
    if (run.outcome == heddle::Outcome::Finished && inWindows && run.windowFirst == 0)
      context_.lengths.notePass(run);
    else if (run.outcome != heddle::Outcome::Cut && !inWindows)
      context_.lengths.noteLength(run);
    size_t before = behaviours_.size();
    behaviours_.insert(behaviour, behaviour + run.newBehaviours);
    behaviour += run.newBehaviours;
    quietRuns_ = behaviours_.size() != before ? 0 : quietRuns_ + 1;
  }
}

Sampling::Progress Sampling::judgeProgress(Outcome& outcome) {
  context_.showProgress(
      {"sampling", context_.tally.runs, behaviours_.size(), context_.tally.failed});
  if (context_.budget.mustEnd()) {
    outcome.ending = interrupted() ? "interrupted" : "the time was used up";
    return RoundEnd::Stop;
  }
  uint64_t settled = context_.options().settled_runs;
  if (context_.options().runs == 0 && settled != 0 && quietRuns_ >= settled)
    return settle(outcome);
  return learning_ && runsAllowed() != 0 ? learnMore(outcome) : RoundEnd::GoOn;
}

Sampling::Progress Sampling::settle(Outcome& outcome) {
  outcome.settled = true;
  if (context_.budget.endsWhenSettled()) {
    outcome.ending = "no new behaviour in " + std::to_string(quietRuns_) + " runs";
    return RoundEnd::Stop;
  }
  if (variety_++ == 0 && strategies_.size() > 1)
    strategies_.insert(strategies_.end(), {StrategyKind::RunToBlock, StrategyKind::RoundRobin});
  quietRuns_ = 0;
  return RoundEnd::GoOn;
}

Sampling::Progress Sampling::learnMore(Outcome& outcome) {
  auto failing = learning_->learnOnce(context_.options().seed + planned_);
  if (!failing) {
    outcome.lost = failing.error();
    return RoundEnd::Stop;
  }
  selectSites();
  if (!*failing)
    return RoundEnd::GoOn;
  auto ends = sink_({**failing});
  if (!ends)
    return ends.error();
  goesOn_ = true;
  if (*ends)
    outcome.ending = kEndedByFailure;
  return *ends ? RoundEnd::Stop : RoundEnd::GoOn;
}

void Sampling::noteIsolation(Outcome& outcome) {
  workers_.visitSessions([&](Session& session) {
    context_.notes.noteModules(session);
    outcome.isolation = session.isolation();
    outcome.isolationReason = session.isolationReason();
  });
}

} // namespace heddle
