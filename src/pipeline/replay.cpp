#include "pipeline/replay.h"

#include "pipeline/finding_builder.h"

#include <map>

namespace heddle {
namespace {

Error diverged(const RunRecord& record, const std::string& what) {
  std::string text = "the replay is not the recorded run: " + what;
  if (record.result.outcome == Outcome::LostControl || record.result.outcome == Outcome::Died)
    text = "lost control of the program: " + record.message;
  return Error{text, 4};
}

/// What a replay must have in common with the recorded run; empty: all of it.
std::string difference(const ReplayTarget& target, const RunRecord& record) {
  if (record.result.outcome == Outcome::Diverged)
    return record.message.empty() ? "the schedule could not be followed" : record.message;
  if (record.result.outcome == Outcome::LostControl || record.result.outcome == Outcome::Died)
    return outcomeName(record.result.outcome);
  if (target.schedule.digest != 0 && target.schedule.digest != record.result.digest)
    return "its trace digest is " + digestText(record.result.digest) + ", the recorded one is " +
           digestText(target.schedule.digest);
  return {};
}

bool isFailure(const ReplayTarget& target, RunRecord& record) {
  if (record.result.outcome == Outcome::Failed)
    return true;
  bool exitExpected = target.finding && target.finding->kind == FindingKind::ExitStatus;
  if (record.result.outcome != Outcome::Finished || !exitExpected)
    return false;
  record.failure = FailureKind::ExitStatus;
  return record.result.exitStatus != 0;
}

FailingRun failingRun(const ReplayTarget& target, const RunRecord& record) {
  FailingRun failing;
  failing.record = record;
  failing.schedule = target.schedule;
  failing.strategy = StrategyKind::Replay;
  failing.index = 1;
  if (!target.finding)
    return failing;
  failing.index = target.finding->run;
  failing.strategy = parseStrategy(target.finding->strategy).value_or(StrategyKind::Replay);
  return failing;
}

} // namespace

Result<CommandResult> replay(Campaign& campaign, const ReplayTarget& target, uint64_t times) {
  Confirmation confirmation(campaign, parseIsolation(campaign.options().isolation));
  CommandResult result;
  Report& report = result.report;
  report.command = "replay";
  report.program = target.program->arguments;
  report.warnings = target.warnings;
  std::map<uint64_t, uint64_t> digests;
  std::optional<RunRecord> last;
  for (uint64_t i = 0; i < times; ++i) {
    campaign.showProgress({"replay", i, 0, 0});
    auto record = confirmation.replay(target.schedule, target.sites);
    if (!record) {
      if (record.error().exitCode != 130 || !last)
        return record.error();
      break;
    }
    ++report.runs;
    ++digests[record->result.digest];
    std::string what = difference(target, *record);
    if (!what.empty() && !result.lost)
      result.lost = diverged(*record, what);
    last = std::move(*record);
  }
  if (digests.size() > 1 && !result.lost)
    result.lost =
        Error{"the replays gave " + std::to_string(digests.size()) + " different trace digests", 4};
  uint64_t digest = last ? last->result.digest : 0;
  if (last && !result.lost && isFailure(target, *last)) {
    auto recorded = confirmation.replayInDetail(target.schedule, target.sites, "");
    FailingRun failing = failingRun(target, *last);
    Finding finding = buildFinding(failing, *last, recorded ? &*recorded : nullptr, 0);
    if (target.finding) {
      finding.id = target.finding->id;
      finding.replay = target.finding->replay;
      finding.status = target.finding->status;
    }
    report.findings.push_back(std::move(finding));
  }
  report.extra.emplace_back("trace_digest", "\"" + digestText(digest) + "\"");
  if (last) {
    report.extra.emplace_back("outcome",
                              std::string("\"") + outcomeName(last->result.outcome) + "\"");
    report.summary.push_back(std::to_string(report.runs) +
                             " replays: " + outcomeName(last->result.outcome) + ", trace digest " +
                             digestText(digest));
  }
  report.seconds = campaign.secondsUsed();
  result.exitCode = exitCodeOf(result, campaign.options());
  return result;
}

} // namespace heddle
