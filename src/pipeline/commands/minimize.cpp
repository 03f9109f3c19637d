#include "pipeline/commands/minimize.h"

#include "control/interrupt.h"
#include "describe/finding_builder.h"
#include "describe/race_finding.h"
#include "pipeline/judging/confirmation.h"
#include "pipeline/judging/judge.h"
#include "pipeline/judging/minimizer.h"
#include "pipeline/judging/stored_run.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace heddle {
namespace {

constexpr double kDefaultSeconds = 60;
constexpr double kNoLimitSeconds = 1e6;
/// A schedule that takes the place of a confirmed one has to be as good.
constexpr int kConfirmations = 3;

/// What follows the search, in replays: the confirmations, and one in detail.
constexpr double kReplaysAfterwards = kConfirmations + 3;

MinimizeBudget budgetOf(const CommandContext& context, double replaySeconds) {
  const Options& options = context.options();
  MinimizeBudget budget{std::numeric_limits<uint64_t>::max(), kDefaultSeconds, kFarReach};
  if (options.runs != 0)
    budget = {options.runs, kNoLimitSeconds, kFarReach};
  if (auto left = context.budget.secondsLeft())
    budget.seconds = *left - kReplaysAfterwards * replaySeconds;
  return budget;
}

std::string beforeAndAfter(const char* what, uint64_t before, uint64_t after) {
  return std::string(what) + ": " + std::to_string(before) + " before, " + std::to_string(after) +
         " after";
}

/// The minimisation of one stored finding.
class StoredMinimization {
public:
  StoredMinimization(CommandContext& context, const ReplayTarget& target)
      : context_(context), target_(target), confirmation_(context), finding_(*target.finding) {}

  Result<CommandResult> execute() {
    auto replayed = replayOnce(context_, target_);
    if (!replayed)
      return replayed.error();
    result_ = std::move(replayed->result);
    result_.report.command = "minimize";
    if (!replayed->record)
      return std::move(result_);
    const MinimizeBudget budget = budgetOf(context_, replayed->seconds);
    DeferInterrupts defer; // what was found until then is confirmed and kept
    if (budget.seconds <= 0)
      describeShortTime(replayed->seconds);
    else if (Status status = minimizeRun(std::move(*replayed->record), budget); !status)
      return status.error();
    return finish();
  }

private:
  bool isRace() const {
    return finding_.kind == FindingKind::DataRace ||
           finding_.kind == FindingKind::AtomicityViolation;
  }

  void describeShortTime(double replaySeconds) {
    addSummary(
        fmt::format("nothing was tried: one replay takes {:.1f} s; give at least --seconds {:.0f}",
                    replaySeconds, std::ceil(2 * (kReplaysAfterwards + 1) * replaySeconds)));
  }

  Status minimizeRun(RunRecord record, const MinimizeBudget& budget) {
    context_.notes.judgeEnd(record);
    context_.showProgress({"minimising", 0, 0, 1});
    Minimizer minimizer(context_);
    Keeps keeps = isRace() ? Keeps::SameThreads : Keeps::Failure;
    auto minimized = minimizer.minimize(failingRun(target_, record), keeps, budget);
    if (!minimized) {
      addSummary("nothing was gained: parts of the schedule could not be tried");
      return Success{};
    }
    // A replay does by decisions what was forced on spinning threads: it has more preemptions.
    if (finding_.switches)
      minimized->before = *finding_.switches;
    describeSearch(*minimized);
    if (isKept(*minimized))
      return Success{};
    if (Status status = confirm(minimized->run); !status)
      return status;
    return refused_ ? Status(Success{}) : update(*minimized);
  }

  /// Whether the stored schedule is as good already, and says so.
  bool isKept(const Minimizer::Minimized& minimized) const {
    return finding_.switches &&
           minimized.run.schedule.decisions.size() == target_.schedule.decisions.size() &&
           minimized.run.schedule.digest == target_.schedule.digest;
  }

  void describeSearch(const Minimizer::Minimized& minimized) {
    addSummary(
        beforeAndAfter("preemptions", minimized.before.preemptions, minimized.after.preemptions));
    addSummary(
        beforeAndAfter("context switches", minimized.before.switches, minimized.after.switches));
    addSummary("tried " + std::to_string(minimized.runs) +
               (minimized.runs == 1 ? " schedule" : " schedules") +
               (minimized.finished     ? ""
                : interruptRequested() ? ", then interrupted"
                                       : "; the budget was reached before all was tried"));
  }

  Status confirm(const CapturedRun& run) {
    for (int i = 0; i < kConfirmations && !refused_; ++i) {
      auto verdict = confirmation_.confirm(run);
      if (!verdict)
        return verdict.error();
      ++result_.report.runs;
      replayed_ = std::move(verdict->replayed);
      bool same = verdict->answer == Verdict::Answer::Confirmed &&
                  (!isRace() || replayed_.result.meetings != 0);
      refused_ = !same;
      if (refused_)
        context_.notes.addWarning(
            "the minimised schedule was not confirmed, the stored one stays: " +
            (verdict->difference.empty() ? std::string("there was no time") : verdict->difference));
    }
    return Success{};
  }

  /// The same accesses by the same threads, in a shorter run.
  Finding rebuiltViolation(const CapturedRun& run, const RecordedRun* recorded) const {
    std::optional<RecordedRun> cut;
    if (recorded && !finding_.failure)
      cut = untilMeeting(*recorded);
    const Finding shown = buildFinding(run, replayed_, cut ? &*cut : recorded, 0);
    Finding violation = finding_;
    addSchedule(violation, run);
    violation.steps = shown.steps;
    violation.threads = shown.threads;
    violation.output = shown.output;
    violation.digest = shown.digest;
    if (violation.failure)
      violation.failure = shown.failure;
    return violation;
  }

  /// What the new run changes; who was at fault and how often it was seen stays.
  Finding rebuilt(const CapturedRun& run, const RecordedRun* recorded) const {
    if (finding_.kind == FindingKind::AtomicityViolation)
      return rebuiltViolation(run, recorded);
    if (isRace()) {
      Evidence evidence; // no run was directed at it
      evidence.harmful = finding_.status == FindingStatus::Harmful;
      Finding shown = buildRaceFinding(evidence, run, replayed_, recorded, 0);
      shown.probability = finding_.probability;
      shown.orders = finding_.orders;
      addSchedule(shown, run);
      return shown;
    }
    Finding shown = buildFinding(run, replayed_, recorded, 0);
    addSchedule(shown, run);
    return shown;
  }

  Status update(const Minimizer::Minimized& minimized) {
    const CapturedRun& run = minimized.run;
    auto recorded = confirmation_.replayInDetail(run.schedule, run.sites, finding_.id);
    Finding shown = rebuilt(run, recorded ? &*recorded : nullptr);
    shown.id = finding_.id;
    shown.status = std::max(finding_.status, FindingStatus::Confirmed);
    shown.replay = finding_.replay;
    shown.notes = finding_.notes;
    shown.count = finding_.count;
    shown.switches = minimized.after;
    shown.foundSwitches = finding_.foundSwitches ? *finding_.foundSwitches : minimized.before;
    result_.report.findings = {shown};
    if (!context_.store())
      return Success{};
    shown.replay = storedReplay(context_, shown.id);
    result_.report.findings = {shown};
    return context_.store()->updateFinding(shown, context_.program().executable);
  }

  void addSummary(std::string line) { result_.report.summary.push_back(std::move(line)); }

  CommandResult finish() {
    Report& report = result_.report;
    uint64_t tried = context_.tally.minimizing;
    report.runs += tried;
    report.seconds = context_.budget.secondsUsed();
    report.interrupted = interruptRequested();
    report.warnings.insert(report.warnings.end(), context_.notes.warnings().begin(),
                           context_.notes.warnings().end());
    report.factsAs<MinimizeSummary>().runs = tried;
    return std::move(result_);
  }

  CommandContext& context_;
  const ReplayTarget& target_;
  Confirmation confirmation_;
  const Finding& finding_;
  CommandResult result_;
  RunRecord replayed_;
  bool refused_ = false;
};

} // namespace

Result<CommandResult> minimize(CommandContext& context, const ReplayTarget& target) {
  if (context.options().seconds != 0)
    context.budget.limitTime();
  return StoredMinimization(context, target).execute();
}

} // namespace heddle
