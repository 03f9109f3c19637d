#include "pipeline/commands/replay.h"

#include "describe/divergence.h"
#include "describe/finding_builder.h"
#include "pipeline/judging/confirmation.h"

#include <algorithm>
#include <set>

namespace heddle {
namespace {

bool isLost(const RunRecord& record) {
  return record.result.outcome == Outcome::LostControl || record.result.outcome == Outcome::Died;
}

Error diverged(const ReplayTarget& target, const RunRecord& record, const std::string& what) {
  if (isLost(record))
    return Error{"lost control of the program: " + record.message, ErrorKind::LostControl};
  if (target.rebuilt)
    return Error{"the program has changed so that the recorded schedule no longer fits it: " +
                     what + "; whether it still fails is what `heddle check` says",
                 ErrorKind::LostControl};
  return Error{"the replay is not the recorded run: " + what, ErrorKind::LostControl};
}

bool isRace(const ReplayTarget& target) {
  return target.finding && (target.finding->kind == FindingKind::DataRace ||
                            target.finding->kind == FindingKind::AtomicityViolation);
}

bool isFailure(const ReplayTarget& target, RunRecord& record) {
  if (record.result.outcome == Outcome::Failed)
    return true;
  // A test framework reports a failed assertion of its own by the status at the end, too.
  auto failed = target.finding ? target.finding->failure : std::nullopt;
  bool exitExpected =
      failed && (failed->kind == FindingKind::ExitStatus || failed->kind == FindingKind::Assertion);
  if (record.result.outcome != Outcome::Finished || !exitExpected)
    return false;
  record.failure = FailureKind::ExitStatus;
  return record.result.exitStatus != 0;
}

/// A changed program that followed the schedule to a good end: what was found does not happen any
/// more.
bool isMended(const ReplayTarget& target, RunRecord& record) {
  bool ended = record.result.outcome == Outcome::Finished || record.result.outcome == Outcome::Idle;
  return target.rebuilt && ended && !isHarmlessRace(target) && !isFailure(target, record);
}

/// What a replay must have in common with the recorded run; empty: all of it.
std::string difference(const ReplayTarget& target, RunRecord& record) {
  if (record.result.outcome == Outcome::Diverged)
    return record.message.empty() ? "the schedule could not be followed" : record.message;
  if (record.result.outcome == Outcome::LostControl || record.result.outcome == Outcome::Died)
    return outcomeName(record.result.outcome);
  if (target.schedule.digest != 0 && target.schedule.digest != record.result.digest)
    return "its trace digest is " + digestText(record.result.digest) + ", the recorded one is " +
           digestText(target.schedule.digest);
  if (isRace(target) && record.result.meetings == 0)
    return target.finding->kind == FindingKind::DataRace ? "the accesses of the race did not meet"
                                                         : "the pattern was not completed";
  if (target.finding && !isHarmlessRace(target) && !isFailure(target, record))
    return std::string("the recorded failure did not happen, the run ") +
           outcomeName(record.result.outcome);
  return {};
}

/// The replays of one command, compared with the recorded run and with each other.
class Replays {
public:
  Replays(CommandContext& context, const ReplayTarget& target)
      : context_(context), target_(target), confirmation_(context) {
    result_.report.command = "replay";
    result_.report.program = target.program->arguments;
    result_.report.warnings = target.warnings;
  }

  Result<CommandResult> execute(uint64_t times) {
    if (Status status = repeat(times); !status)
      return status.error();
    if (happened())
      addFinding();
    return finish();
  }

  Result<ReplayedOnce> executeOnce() {
    double start = context_.budget.secondsUsed();
    if (Status status = repeat(1); !status)
      return status.error();
    ReplayedOnce once;
    once.seconds = context_.budget.secondsUsed() - start;
    if (happened()) {
      once.record = *last_;
      addStoredFinding();
    }
    once.result = finish();
    return once;
  }

private:
  Status repeat(uint64_t times) {
    for (uint64_t i = 0; i < times; ++i) {
      context_.showProgress({"replay", i, 0, 0});
      auto record = confirmation_.replay(target_.schedule, target_.sites);
      if (!record && (!record.error().isNotEnded() || !last_))
        return record.error();
      if (!record)
        break; // interrupted: what was done is reported
      take(std::move(*record));
    }
    if (digests_.size() > 1 && !result_.lost)
      result_.lost =
          Error{"the replays gave " + std::to_string(digests_.size()) + " different trace digests",
                ErrorKind::LostControl};
    return Success{};
  }

  bool happened() {
    return last_ && !result_.lost && (isHarmlessRace(target_) || isFailure(target_, *last_));
  }

  void take(RunRecord record) {
    ++result_.report.runs;
    digests_.insert(record.result.digest);
    std::string what = difference(target_, record);
    mended_ = isMended(target_, record);
    if (!what.empty() && !result_.lost && !mended_) {
      result_.report.diverged = !isLost(record);
      result_.lost = diverged(target_, record, what + placeOfDivergence(record));
    }
    last_ = std::move(record);
  }

  /// Needs the events of both runs: the recorded ones from the store, the others from one more run.
  std::string placeOfDivergence(const RunRecord& record) {
    if (isLost(record) || target_.trace.empty())
      return {};
    auto recorded = readKeptTrace(target_.trace);
    auto replayed = confirmation_.replayInDetail(target_.schedule, target_.sites, "");
    if (!recorded || !replayed)
      return {};
    std::string place = firstDifference(*recorded, *replayed, target_.schedule.decisions);
    return place.empty() ? place : "; " + place;
  }

  void addStoredFinding() {
    result_.report.findings.push_back(*target_.finding);
    if (!target_.command.empty())
      result_.report.findings.back().replay = target_.command;
  }

  void addFinding() {
    if (isRace(target_)) { // what was found is more than its replay shows: both orders, how often
      addStoredFinding();
      return;
    }
    auto recorded = confirmation_.replayInDetail(target_.schedule, target_.sites, "");
    CapturedRun failing = failingRun(target_, *last_);
    Finding finding = buildFinding(failing, *last_, recorded ? &*recorded : nullptr, 0);
    addSchedule(finding, failing);
    if (target_.finding) {
      finding.id = target_.finding->id;
      // One that was left potential for want of time has now happened again.
      finding.status = std::max(target_.finding->status, FindingStatus::Confirmed);
      finding.switches = target_.finding->switches;
      finding.foundSwitches = target_.finding->foundSwitches;
    }
    if (!target_.command.empty())
      finding.replay = target_.command;
    result_.report.findings.push_back(std::move(finding));
  }

  CommandResult finish() {
    Report& report = result_.report;
    std::string digest = digestText(last_ ? last_->result.digest : 0);
    auto& facts = report.factsAs<ReplaySummary>();
    facts.digest = digest;
    if (last_) {
      const char* outcome = outcomeName(last_->result.outcome);
      facts.outcome = outcome;
      report.summary.push_back(std::to_string(report.runs) +
                               (report.runs == 1 ? " replay: " : " replays: ") + outcome +
                               ", trace digest " + digest);
    }
    if (mended_ && !result_.lost)
      report.summary.emplace_back("the program has changed, and the recorded failure no longer "
                                  "happens with this schedule; `heddle check` looks for others");
    report.seconds = context_.budget.secondsUsed();
    return std::move(result_);
  }

  CommandContext& context_;
  const ReplayTarget& target_;
  Confirmation confirmation_;
  CommandResult result_;
  std::set<uint64_t> digests_;
  std::optional<RunRecord> last_;
  bool mended_ = false; ///< the last replay showed that
};

} // namespace

bool isHarmlessRace(const ReplayTarget& target) {
  return isRace(target) && !target.finding->failure;
}

CapturedRun failingRun(const ReplayTarget& target, const RunRecord& record) {
  return captureReplay(target.schedule, target.sites, record, target.finding);
}

Result<CommandResult> replay(CommandContext& context, const ReplayTarget& target, uint64_t times) {
  return Replays(context, target).execute(times);
}

Result<ReplayedOnce> replayOnce(CommandContext& context, const ReplayTarget& target) {
  return Replays(context, target).executeOnce();
}

} // namespace heddle
