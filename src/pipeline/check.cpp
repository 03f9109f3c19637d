#include "pipeline/check.h"

#include "control/interrupt.h"
#include "describe/finding_notes.h"
#include "pipeline/confirmation.h"
#include "pipeline/first_run.h"
#include "pipeline/forcing.h"
#include "pipeline/judge.h"
#include "pipeline/known_findings.h"
#include "pipeline/learning.h"
#include "pipeline/pattern_stage.h"
#include "pipeline/race_judge.h"
#include "pipeline/run_summary.h"
#include "pipeline/sampling.h"
#include "pipeline/static_targets.h"

#include <algorithm>
#include <utility>

namespace heddle {
namespace {

/// A deadlock that a server without work shows, too: notifications are waited for, but no locks.
bool onlyWaitsForWork(const RunRecord& record) {
  bool waits = false;
  for (const ThreadDetail& thread : record.threads) {
    if (thread.state != ThreadState::Blocked || thread.wait == WaitKind::Join)
      continue;
    bool forWork = thread.wait == WaitKind::Condition || thread.wait == WaitKind::Semaphore ||
                   thread.wait == WaitKind::Futex || thread.wait == WaitKind::Io;
    if (!forWork)
      return false;
    waits = true;
  }
  return record.failure == FailureKind::Deadlock && waits && mayServe(record.threads);
}

/// Share of the time behind the recordings that forcing may use while sampling has not had its
/// turn.
constexpr double kForcingShare = 0.5;
constexpr double kForcingShareOfLong = 0.35; ///< of which few are made
/// Share of that for its runs; the rest is for judging what came about.
constexpr double kRunsShare = 0.6;
constexpr double kLeastForcing = 1; ///< seconds that are worth another round of it

/// The stages of one command, one after the other; each may end it.
class Stages {
public:
  Stages(CommandContext& context, std::string command, std::vector<StrategyKind> strategies)
      : context_(context), judge_(context, command), raceJudge_(context, judge_),
        strategies_(std::move(strategies)) {
    result_.report.command = std::move(command);
  }

  Stages& forcing() {
    forces_ = true;
    return *this;
  }
  Stages& forcingPatterns(PatternStage::Part part) {
    patterns_.emplace(context_, judge_, part);
    return *this;
  }
  Stages& withoutSampling() {
    samples_ = false;
    return *this;
  }

  Result<CommandResult> execute() {
    Status status = executeStages();
    if (Status judged = judgeRest(); !judged && status)
      status = judged;
    summarizeForcing();
    for (std::string& line : samplingSummary_)
      addSummary(std::move(line));
    if (!status) {
      // What was found before is reported; without it and with a wrong set-up the error is all.
      if (status.error().isUsage() && judge_.findings().empty())
        return status.error();
      result_.lost = status.error();
    }
    return finish();
  }

private:
  Status executeStages() {
    if (Status status = context_.loadSuppressions(); !status)
      return status;
    if (Status status = patterns_ ? patterns_->readSets() : Success{}; !status)
      return status;
    Prediction prediction;
    Learning learning(context_, prediction);
    bool learns = context_.plans.points().kind == PointSet::Listed;
    if (learns && isQuicklyAnalysed(context_.program()))
      analyze();
    auto failing =
        firstRun(context_, learns && !learning.isKnown() ? &learning : nullptr, needsThreads());
    if (!failing)
      return failing.error();
    if (*failing) {
      Status status = judgeFirst(**failing);
      if (samples_ || !status)
        return status;
    }
    if (context_.budget.searchIsOver())
      return Success{};
    if (!*failing)
      addSummary("without preemption: exit status " +
                 std::to_string(context_.notes.normalExitStatus()));
    tellIsolation();
    if (!learns)
      return sample(nullptr, prediction);
    analyze();
    auto session = Session::create(context_.sharedProgram(), context_.sessions.options());
    if (!session)
      return session.error();
    Status status = learn(learning, *session);
    addStatic(prediction, learning);
    context_.notes.noteModules(*session);
    if (samples_)
      forcingSeconds_ = shareOfTime(context_.budget, context_.lengths.isLong() ? kForcingShareOfLong
                                                                               : kForcingShare);
    if (status && forces_ && !context_.budget.searchIsOver())
      status = samples_ ? force(prediction, forcingSeconds_) : forceAll(prediction);
    // A check that has a failure already ends with it; `atomicity` has patterns only, and finds out
    // which of them explain what has failed.
    if (Status judged = samples_ ? judgeRecorded() : Success{}; !judged && status)
      status = judged;
    // Of a long run windows show more in the same time than runs that are forced as a whole.
    bool forcesPatterns = patterns_ && !(samples_ && context_.lengths.isLong());
    if (status && forcesPatterns && !context_.budget.searchIsOver() && !done())
      status = patterns_->force(recordedFailures_, raceJudge_.explained(), result_.report);
    if (Status judged = judgeRecorded(); !judged && status)
      status = judged;
    if (!status || done() || !samples_)
      return status;
    if (context_.budget.searchIsOver()) {
      samplingSummary_.push_back(std::string("sampling: ") +
                                 (interrupted()               ? "interrupted"
                                  : context_.budget.mustEnd() ? "the time was used up"
                                                              : "the number of runs was reached") +
                                 " before it began");
      return status;
    }
    return sample(&learning, prediction);
  }

  /// A single test is judged as it is, and `run` runs what it is given.
  bool needsThreads() const {
    return result_.report.command != "run" && context_.program().test.empty();
  }

  /// Of a failure that needs no preemption `races` and `atomicity` report, and look for the rest.
  Status judgeFirst(const FailingRun& failing) {
    addSummary("the run without preemption failed: no preemption is needed");
    if (onlyWaitsForWork(failing.record))
      addSummary("nobody waits for a lock: if this is a server that waits for work, check it "
                 "with --until-idle");
    return judge_.judge({failing});
  }

  /// A failure ends the command; a race that breaks nothing does not.
  bool done() const {
    if (context_.options().keep_going)
      return false;
    const auto& findings = judge_.findings();
    return std::any_of(findings.begin(), findings.end(),
                       [](const Finding& finding) { return finding.failure.has_value(); });
  }

  bool wantsStatic() const { return forces_ && context_.options().targets != "predicted"; }
  bool wantsOnlyStatic() const { return context_.options().targets == "static"; }

  /// Asks the static analysis what could race, and what can not.
  void analyze() {
    if (!wantsStatic() || static_)
      return;
    static_ = staticTargets(context_);
    context_.localSites.set(static_->localSites);
  }

  /// Adds pairs that the static analysis can not exclude, where there is hope to get there: a check
  /// tries those whose accesses runs have executed, `races` also those with one of them.
  void addStatic(Prediction& prediction, const Learning& learning) {
    if (!static_)
      return;
    if (!static_->problem.empty()) {
      std::string_view problem = static_->problem;
      addSummary("static analysis: " + std::string(problem.substr(0, problem.find('\n'))));
      return;
    }
    size_t needed = samples_ ? 2 : wantsOnlyStatic() ? 0 : 1;
    size_t added = 0;
    for (const Candidate& candidate : static_->candidates) {
      size_t executed =
          std::count_if(candidate.sides.begin(), candidate.sides.end(),
                        [&](const CandidateSide& side) { return learning.hasExecuted(side.site); });
      staticSides_.insert(candidate.sides);
      added += executed >= needed && prediction.add(candidate);
    }
    staticOnly_ = added;
    addSummary("static analysis: " + std::to_string(static_->candidates.size()) +
               (static_->candidates.size() == 1 ? " pair" : " pairs") + " that could race, " +
               std::to_string(added) + " of them not shown by recordings");
    facts().fromSource = {static_->candidates.size(), added, static_->localSites.size(),
                          context_.localSites.refuted()};
  }

  /// What is to be forced: all that is known, or what the static analysis says.
  std::vector<Candidate> candidatesOf(const Prediction& prediction) const {
    auto candidates = prediction.candidates().ranked();
    if (wantsOnlyStatic())
      std::erase_if(candidates, [&](const Candidate& candidate) {
        return !staticSides_.contains(candidate.sides);
      });
    return candidates;
  }

  /// Forces what was predicted so far and judges it, for at most so many seconds.
  Status force(const Prediction& prediction, std::optional<double> seconds) {
    auto candidates = candidatesOf(prediction);
    predicted_ = prediction.candidates().size();
    if (candidates.empty())
      return Success{};
    if (!forcing_) {
      forcing_.emplace(context_);
      if (samples_ && !context_.options().keep_going)
        forcing_->stopAtFailure();
    }
    double before = context_.budget.secondsUsed();
    auto outcome = [&] {
      StageLimit limit(context_.budget,
                       seconds ? std::optional(*seconds * kRunsShare) : std::nullopt,
                       samples_ ? shareOfRuns(context_.budget, kForcingShare) : std::nullopt);
      return forcing_->force(candidates);
    }();
    if (!outcome)
      return outcome.error();
    outOfTime_ = outcome->outOfBudget;
    auto left = seconds;
    if (left)
      *left = std::max(0.0, *left + before - context_.budget.secondsUsed());
    Status status = judgeAll(left);
    if (forcingSeconds_)
      *forcingSeconds_ -= context_.budget.secondsUsed() - before;
    if (status && outcome->lost)
      return *outcome->lost;
    return status;
  }

  /// The same with all the time there is, again and again while candidates are left for which there
  /// was none: a part of it is always for judging.
  Status forceAll(const Prediction& prediction) {
    Status status = Success{};
    do
      status = force(prediction, context_.budget.secondsLeft());
    while (status && outOfTime_ && context_.budget.secondsLeft().value_or(0) > kLeastForcing);
    if (forcing_ && prediction.sites())
      raceJudge_.addPotential(*forcing_, *prediction.sites(), wantsOnlyStatic());
    return status;
  }

  void summarizeForcing() {
    if (!predicted_)
      return;
    if (*predicted_ == 0) {
      addSummary("prediction: nothing can race or deadlock in what was recorded");
      return;
    }
    raceJudge_.warnOfUnconfirmed();
    size_t met = 0;
    size_t weak = 0;
    for (const ForcedCandidate& forced : forcing_->forced()) {
      met += forced.met != 0;
      weak += forced.met == 0 && forced.candidate.missingOrder();
    }
    addSummary("prediction: " + std::to_string(*predicted_ - staticOnly_) +
               (staticOnly_ ? " and " + std::to_string(staticOnly_) + " static" : "") +
               (*predicted_ == 1 ? " candidate" : " candidates") +
               "; forcing: " + std::to_string(met) + " came about" + weakText(weak) +
               (outOfTime_ ? ", the time for it was used up" : ""));
    facts().candidates = *predicted_;
  }

  /// Only `races` lists what no run can show.
  std::string weakText(size_t candidates) const {
    if (candidates == 0)
      return "";
    return ", " + std::to_string(candidates) + (candidates == 1 ? " lacks" : " lack") +
           " a memory order" + (samples_ ? " (heddle races says which)" : "");
  }

  Status learn(Learning& learning, Session& session) {
    bool stopAtFailure = samples_ && !context_.options().keep_going;
    // Few runs to the first failure count for a check; candidates are all that `races` has.
    auto failures = learning.learn(session, samples_ ? 2 : 5, stopAtFailure);
    if (!failures)
      return failures.error();
    recordedFailures_ = std::move(*failures);
    if (!recordedFailures_.empty() && context_.plans.points().sites.empty())
      addSummary("a recording failed before it was known which accesses are shared");
    else
      addSummary(
          "accesses to shared memory: " + std::to_string(context_.plans.points().sites.size()) +
          " sites, from " + std::to_string(learning.recordings()) +
          (learning.recordings() == 1 ? " recording" : " recordings"));
    return Success{};
  }

  /// Findings of what was forced and of runs that failed; failures whose cause is a race or a
  /// violation of atomicity are no findings of their own. Races that broke nothing get so much
  /// time.
  Status judgeFailures(std::vector<FailingRun> failures, std::optional<double> seconds) {
    if (forcing_) {
      auto others = raceJudge_.judge(*forcing_, std::move(failures), seconds);
      if (!others)
        return others.error();
      failures = std::move(*others);
    } else if (Status status = judge_.confirm(failures); !status) {
      return status;
    }
    if (Status status = patterns_ ? patterns_->explain(failures) : Success{}; !status)
      return status;
    return judge_.judge(failures);
  }

  /// The same for the runs that have failed so far.
  Status judgeAll(std::optional<double> seconds) {
    return judgeFailures(std::exchange(recordedFailures_, {}), seconds);
  }
  Status judgeRecorded() { return judgeAll(forcingSeconds_); }

  /// Races for which there was no time while others had to have their turn.
  Status judgeRest() { return forcing_ ? judgeFailures({}, std::nullopt) : Status(Success{}); }

  /// Whether recordings of the sampling have shown something to force, and there is time for it.
  bool hasNewCandidates(const Prediction& prediction) const {
    return forces_ && forcingSeconds_.value_or(1) > 0 &&
           prediction.candidates().size() != predicted_.value_or(0);
  }

  /// Sampling, and forcing what its recordings predict. When sampling has nothing new to show, what
  /// is left of the time goes to candidates for which there was none.
  Status sample(Learning* learning, const Prediction& prediction) {
    Sampling sampling(context_, strategies_, learning,
                      [this](const std::vector<FailingRun>& failures) -> Result<bool> {
                        Status status = judgeFailures(failures, forcingSeconds_);
                        if (!status)
                          return status.error();
                        bool lost = judge_.lost() && !context_.options().keep_going;
                        return done() || lost;
                      });
    if (result_.report.command == "check")
      sampling.exploreInWindows();
    sampling.setPause([&] { return hasNewCandidates(prediction); });
    for (;;) {
      auto outcome = sampling.sample();
      if (!outcome)
        return outcome.error();
      bool open = forcing_ && forcing_->hasOpen() && !context_.budget.searchIsOver();
      Status forced = Success{};
      if (outcome->settled && open)
        forced = force(prediction, shareOfTime(context_.budget, kForcingShare));
      else if (outcome->paused && !outcome->settled)
        forced = force(prediction, forcingSeconds_);
      bool ends = !forced || !outcome->paused || done();
      if (ends && outcome->paused)
        outcome->ending = Sampling::kEndedByFailure;
      if (ends)
        summarizeSampling(*outcome);
      if (!forced)
        return forced;
      if (ends)
        return outcome->lost ? Status(*outcome->lost) : Status(Success{});
    }
  }

  void summarizeSampling(const Sampling::Outcome& outcome) {
    samplingSummary_ = {
        "sampling: " + outcome.ending + "; " + std::to_string(outcome.behaviours) + " behaviours" +
            varietyText(outcome.variety),
        std::string("isolation: ") + isolationName(outcome.isolation) +
            (outcome.isolationReason.empty() ? "" : " (" + outcome.isolationReason + ")")};
    facts().sampling = {outcome.behaviours, isolationName(outcome.isolation),
                        outcome.isolationReason};
  }

  void tellIsolation() {
    std::string why = context_.sessions.options().isolationReason;
    if (!why.empty())
      addSummary("runs are forked, and not made in place: " + why);
  }

  static std::string varietyText(uint64_t times) {
    if (times == 0)
      return "";
    return "; nothing new came any more, " + std::to_string(times) +
           (times == 1 ? " time" : " times") + ", and something else was tried";
  }

  void addSummary(std::string line) { result_.report.summary.push_back(std::move(line)); }
  SearchSummary& facts() { return result_.report.factsAs<SearchSummary>(); }

  CommandResult finish() {
    Report& report = result_.report;
    report.program = context_.program().arguments;
    report.seconds = context_.budget.secondsUsed();
    judge_.countRuns();
    report.findings = judge_.findings();
    tellKnownIssues(report, context_.options());
    report.warnings = context_.notes.warnings();
    report.notSeen = context_.notes.notSeen();
    report.interrupted = interrupted();
    summarizeRuns(context_, report);
    reportSuppressions(context_.suppressions.suppressed(), context_.suppressions.unused(), report);
    if (judge_.lost() && !result_.lost)
      result_.lost = judge_.lost();
    if (!result_.lost && report.findings.empty() && !report.interrupted)
      result_.lost = noRunEnded(context_);
    return std::move(result_);
  }

  CommandContext& context_;
  Judge judge_;
  RaceJudge raceJudge_;
  std::vector<StrategyKind> strategies_;
  std::vector<FailingRun> recordedFailures_;
  bool forces_ = false;
  bool samples_ = true;
  std::optional<PatternStage> patterns_;        ///< empty: the command has none
  std::shared_ptr<const StaticTargets> static_; ///< null: not asked for
  std::set<std::vector<CandidateSide>> staticSides_;
  size_t staticOnly_ = 0; ///< of those, what recordings had not shown
  std::optional<Forcing> forcing_;
  std::optional<double> forcingSeconds_; ///< that forcing may still use before sampling has settled
  std::optional<size_t> predicted_;      ///< candidates that were given to forcing
  bool outOfTime_ = false;               ///< the last time, forcing was
  std::vector<std::string> samplingSummary_;
  CommandResult result_;
};

} // namespace

Result<CommandResult> check(CommandContext& context) {
  std::vector<StrategyKind> mix = {StrategyKind::Surw, StrategyKind::Pct, StrategyKind::Pos,
                                   StrategyKind::Random, StrategyKind::Pct};
  if (auto chosen = parseStrategy(context.options().strategy))
    mix = {*chosen};
  context.budget.limitTime();
  context.budget.limitRuns();
  return Stages(context, "check", mix)
      .forcing()
      .forcingPatterns(PatternStage::Part::OfACheck)
      .execute();
}

Result<CommandResult> races(CommandContext& context) {
  context.budget.limitTime();
  context.budget.limitRuns();
  return Stages(context, "races", {}).forcing().withoutSampling().execute();
}

Result<CommandResult> atomicity(CommandContext& context) {
  context.budget.limitTime();
  context.budget.limitRuns();
  return Stages(context, "atomicity", {})
      .forcingPatterns(PatternStage::Part::Whole)
      .withoutSampling()
      .execute();
}

Result<CommandResult> run(CommandContext& context) {
  StrategyKind strategy = parseStrategy(context.options().strategy).value_or(StrategyKind::Random);
  context.budget.limitTime();
  return Stages(context, "run", {strategy}).execute();
}

} // namespace heddle
