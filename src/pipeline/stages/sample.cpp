#include "pipeline/stages/sample.h"

#include "control/interrupt.h"
#include "store/encoding.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <utility>

namespace heddle {
namespace {

constexpr uint64_t kFirstSliceRuns = 32;
constexpr uint64_t kLargestSliceRuns = 512;
/// PCT draws so many change points at most, however often nothing new came.
constexpr uint64_t kMaxDepth = 16;
/// Of long runs, a slice of whole ones has so many, or fewer if they have more steps than this in
/// all: it shall not take much longer than a pass with windows.
constexpr uint64_t kLongSliceRuns = 8;
constexpr uint64_t kLongSliceSteps = 4'000'000;
/// Where sync operations are thinned out: in one of so many slices of whole runs at these they are
/// not.
constexpr uint64_t kSlicesAtEverySync = 4;
/// In one of so many slices sleeps may be over while others could still run; not a divisor of the
/// number of strategies, so that all have their turn at it.
constexpr uint64_t kSlicesWithDelays = 4;
/// In the opening: every so many turns there is a recording.
constexpr uint64_t kShortTurnsToRecord = 7;
/// Round robin has so many different runs.
constexpr uint64_t kRoundRobinRuns = 2;

} // namespace

Sample::Sample(SearchState& search, std::vector<StrategyKind> strategies)
    : search_(search), context_(search.context), strategies_(std::move(strategies)),
      goesOn_(search.context.options().keep_going) {}

void Sample::start() {
  workers_.emplace(context_.sharedProgram(), context_.sessions.options(), context_.sessions.jobs());
  selectSites();
}

Turn Sample::advance() {
  if (!workers_) {
    if (context_.budget.searchIsOver()) {
      ending_ = std::string(interrupted()               ? "interrupted"
                            : context_.budget.mustEnd() ? "time limit reached"
                                                        : "the number of runs was reached") +
                " before it began";
      return {};
    }
    start();
  }
  bool hasRun = std::exchange(betweenRounds_, !betweenRounds_);
  return hasRun ? takeStock() : runRound();
}

Turn Sample::advanceShortly() {
  if (!workers_)
    start();
  uint64_t fresh = freshRuns_;
  Turn turn;
  if (++shortTurns_ % kShortTurnsToRecord == 0 && search_.learns())
    learnMore(turn);
  else
    turn = runSlicesOfRound({shortSlice()});
  turn.fresh = freshRuns_ - fresh;
  return turn;
}

/// Strategies take turns as ever. The first runs of a mix are those of round robin, which are few
/// and always the same: what fails when everybody goes in step fails at once.
Sample::Slice Sample::shortSlice() {
  Slice slice;
  bool isMix = strategies_.size() > 1;
  bool isFirst = isMix && planned_ == 0;
  slice.number = isFirst ? 0 : shortSlices_++;
  slice.strategy =
      isFirst ? StrategyKind::RoundRobin : strategies_[slice.number % strategies_.size()];
  slice.depth = static_cast<uint32_t>(isMix ? 2 + slice.number % 2 : context_.options().depth);
  slice.firstIndex = planned_;
  slice.runCount = std::min(isFirst ? kRoundRobinRuns : kLargestSliceRuns, runsAllowed());
  planned_ += slice.runCount;
  return slice;
}

void Sample::selectSites() {
  selected_.clear();
  if (search_.learns())
    for (SiteIdentity site : search_.learning.candidates().sites())
      selected_.push_back(raw(site));
}

uint64_t Sample::runsAllowed() const {
  if (auto left = context_.budget.runsLeft())
    return *left;
  uint64_t wanted = context_.options().runs;
  return wanted == 0 ? UINT64_MAX : wanted - std::min(wanted, planned_);
}

Sample::Slice Sample::nextSlice(uint64_t most) {
  uint64_t cycle = sliceNumber_ / strategies_.size();
  Slice slice;
  slice.number = sliceNumber_;
  slice.strategy = strategies_[sliceNumber_ % strategies_.size()];
  // With a mix, PCT's depth changes from one to the next: small depths reach most bugs sooner.
  uint64_t depth = strategies_.size() > 1 ? 2 + sliceNumber_ % 2 : context_.options().depth;
  slice.depth = static_cast<uint32_t>(std::max(depth, std::min(kMaxDepth, depth + variety_)));
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

std::vector<Sample::Slice> Sample::nextRound() {
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

PlanRequest Sample::slicePlan(const Slice& slice, uint64_t done) const {
  PlanRequest request = context_.plans.plan(
      slice.strategy, context_.options().seed + slice.firstIndex + done, slice.runCount - done);
  request.plan.pctDepth = slice.depth;
  request.selectedSites = selectedFor(slice);
  if (mayDelay_ && slice.number % kSlicesWithDelays == kSlicesWithDelays - 1)
    request.plan.flags |= kPlanDelays;
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

std::vector<uint64_t> Sample::selectedFor(const Slice& slice) const {
  if (variety_ == 0)
    return selected_;
  // All events count in every second slice, and a half of the selected ones in the others.
  std::vector<uint64_t> chosen;
  for (uint64_t site : selected_)
    if (slice.number % 2 == 0 && (mix(site, slice.number) & 1) != 0)
      chosen.push_back(site);
  return chosen;
}

void Sample::runSlice(const Slice& slice, Session& session, SliceResult& result) {
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

void Sample::takeBehaviours(const Session& session, size_t known, size_t from,
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

bool Sample::takeLast(const PlanRequest& request, RunRecord record, SliceResult& result) {
  if (Status status = requireControl(record); !status) {
    result.error = status.error();
    return false;
  }
  if (!context_.notes.judgeEnd(record))
    return true;
  CapturedRun failing = capture(context_, std::move(record), request);
  failing.index = result.results.size();
  result.failures.push_back(std::move(failing));
  return goesOn_;
}

Status Sample::runSlices(const std::vector<Slice>& slices, std::vector<SliceResult>& results) {
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
  return workers_->run(slices.size(), job);
}

Turn Sample::runRound() {
  std::vector<Slice> slices = nextRound();
  if (!slices.empty())
    return runSlicesOfRound(slices);
  ending_ = "the number of runs was reached";
  Turn turn;
  turn.endsSearch = true;
  return turn;
}

Turn Sample::runSlicesOfRound(const std::vector<Slice>& slices) {
  Turn turn;
  std::vector<SliceResult> results(slices.size());
  if (Status status = runSlices(slices, results); !status) {
    turn.error = status.error();
    return turn;
  }
  noteIsolation();
  mergeRound(results, turn);
  return turn;
}

void Sample::mergeRound(std::vector<SliceResult>& results, Turn& turn) {
  bool failed = false;
  for (auto slice = results.begin(); slice != results.end() && !turn.error; ++slice) {
    failed |= !slice->failures.empty();
    for (CapturedRun& failing : slice->failures) {
      failing.index += context_.tally.runs;
      keepPoints(context_, failing);
      search_.failures.push_back(std::move(failing));
    }
    mergeRuns(*slice);
    turn.error = slice->error;
    if (failed && !goesOn_)
      break; // what comes after it was cancelled, sooner or later
  }
  turn.judge = failed;
  goesOn_ |= failed; // if these do not end the search, others of their kind need not, either
}

void Sample::mergeRuns(const SliceResult& slice) {
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
    freshRuns_ += behaviours_.size() != before;
    quietRuns_ = behaviours_.size() != before ? 0 : quietRuns_ + 1;
  }
}

Turn Sample::takeStock() {
  Turn turn;
  context_.showProgress(
      {"sampling", context_.tally.runs, behaviours_.size(), context_.tally.failed});
  uint64_t settled = context_.options().settled_runs;
  if (context_.budget.mustEnd()) {
    ending_ = interrupted() ? "interrupted" : "time limit reached";
    turn.endsSearch = true;
  } else if (context_.options().runs == 0 && settled != 0 && quietRuns_ >= settled) {
    settle(turn);
  } else if (search_.learns() && runsAllowed() != 0) {
    learnMore(turn);
  }
  return turn;
}

void Sample::settle(Turn& turn) {
  turn.settled = true;
  if (context_.budget.endsWhenSettled()) {
    ending_ = "no new behaviour in " + std::to_string(quietRuns_) + " runs";
    turn.endsSearch = true;
    return;
  }
  if (variety_++ == 0 && strategies_.size() > 1)
    strategies_.insert(strategies_.end(), {StrategyKind::RunToBlock, StrategyKind::RoundRobin});
  quietRuns_ = 0;
}

void Sample::learnMore(Turn& turn) {
  auto failing = search_.learning.learnOnce(context_.options().seed + planned_);
  if (!failing) {
    turn.error = failing.error();
    return;
  }
  selectSites();
  if (!*failing)
    return;
  search_.failures.push_back(std::move(**failing));
  turn.judge = true;
  goesOn_ = true;
}

void Sample::endByFailure() {
  if (workers_ && ending_.empty())
    ending_ = "the first failure ended the search (--keep-going goes on)";
}

void Sample::noteIsolation() {
  workers_->visitSessions([&](Session& session) {
    context_.notes.noteModules(session);
    isolation_ = session.isolation();
    isolationReason_ = session.isolationReason();
  });
}

void Sample::summarize(Report& report) {
  if (!workers_) {
    if (!ending_.empty())
      report.summary.push_back("sampling: " + ending_);
    return;
  }
  std::string variety;
  if (variety_ != 0)
    variety = "; nothing new came any more, " + std::to_string(variety_) +
              (variety_ == 1 ? " time" : " times") + ", and something else was tried";
  report.summary.push_back("sampling: " + ending_ + "; " + std::to_string(behaviours_.size()) +
                           " behaviours" + variety);
  report.summary.push_back(std::string("isolation: ") + isolationName(isolation_) +
                           (isolationReason_.empty() ? "" : " (" + isolationReason_ + ")"));
  report.factsAs<SearchSummary>().sampling = {behaviours_.size(), isolationName(isolation_),
                                              isolationReason_};
}

} // namespace heddle
