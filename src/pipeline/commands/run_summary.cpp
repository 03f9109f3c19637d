#include "pipeline/commands/run_summary.h"

#include "control/memory_limit.h"
#include "pipeline/judging/confirmation.h"

namespace heddle {
namespace {

LastRun lastRun(const RunResult& result) {
  return {result.seed,    outcomeName(result.outcome), result.exitStatus, result.steps,
          result.threads, digestText(result.digest)};
}

std::vector<UnseenModule> unseenFunctions(const std::vector<ProgramModule>& modules) {
  std::vector<UnseenModule> unseen;
  for (const ProgramModule& module : modules) {
    UnseenModule named{module.path, {}};
    for (const std::string& name : module.unseenFunctions)
      named.functions.push_back(demangle(name));
    if (!named.functions.empty())
      unseen.push_back(std::move(named));
  }
  return unseen;
}

std::string counted(uint64_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string runsLine(const Tally& tally) {
  std::string line = counted(tally.runs, "run") + ", " + std::to_string(tally.failed) + " failed";
  if (tally.windows != 0)
    line += ", " + std::to_string(tally.windows) +
            (tally.windows == 1 ? " is a window of a longer one" : " are windows of longer ones");
  if (tally.cut != 0)
    line += ", " + std::to_string(tally.cut) + " cut short at the limit of steps (--max-steps)";
  if (tally.outOfTime != 0)
    line +=
        ", " + std::to_string(tally.outOfTime) + " more ended with the time for them (--seconds)";
  if (tally.idle != 0)
    line += ", " + std::to_string(tally.idle) + " ended idle";
  return line;
}

std::string judgingLine(const Tally& tally) {
  std::string line = "confirming and judging: " + counted(tally.judging, "more run");
  if (tally.minimizing != 0)
    line += ", " + std::to_string(tally.minimizing) + " of them to make schedules shorter";
  return line;
}

std::string leftOutLine(const std::map<std::string, uint64_t>& leftOut) {
  std::string line;
  for (const auto& [what, count] : leftOut)
    line += (line.empty() ? "not looked at: " : "; ") + what + " (" + counted(count, "time") + ")";
  return line + "; --memory is " + std::to_string(memoryLimit() >> 20) + " MB";
}

} // namespace

void summarizeRuns(CommandContext& context, Report& report) {
  const Tally& tally = context.tally;
  report.runs = tally.runs;
  report.judgingRuns = tally.judging;
  report.cutRuns = tally.cut + tally.outOfTime;
  report.summary.push_back(runsLine(tally));
  if (tally.judging != 0)
    report.summary.push_back(judgingLine(tally));
  if (!context.notes.leftOut().empty())
    report.summary.push_back(leftOutLine(context.notes.leftOut()));
  auto& facts = report.factsAs<SearchSummary>();
  facts.functionsNotSeen = unseenFunctions(context.notes.modules());
  facts.steps = tally.steps;
  facts.cut = tally.cut;
  facts.outOfTime = tally.outOfTime;
  facts.minimizingRuns = tally.minimizing;
  facts.windows = tally.windows;
  if (report.command == "run")
    facts.lastRun = lastRun(tally.last);
}

std::optional<Error> noRunEnded(const CommandContext& context) {
  const Tally& tally = context.tally;
  if (tally.runs == 0 || tally.ended() != 0)
    return std::nullopt;
  return Error{"none of " + counted(tally.runs, "run") +
                   " came to its end: they were cut short at the limit of steps" +
                   (tally.cutPlace.empty() ? "" : "; " + tally.cutPlace) +
                   "; --max-steps sets another limit",
               ErrorKind::LostControl};
}

} // namespace heddle
