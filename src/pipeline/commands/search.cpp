#include "pipeline/commands/search.h"

#include "control/interrupt.h"
#include "pipeline/commands/known_findings.h"
#include "pipeline/commands/run_summary.h"

namespace heddle {
namespace {

/// That no order was tried must not look like nothing was found.
void warnOfSingleRun(CommandContext& context) {
  const Tally& tally = context.tally;
  bool isOver = tally.outOfTime != 0 || context.budget.mustEnd();
  if (tally.ended() == 1 && isOver && !interrupted())
    context.notes.addWarning("only the run without preemption came to its end: no other order was "
                             "tried; give more time with --seconds");
}

CommandResult finish(SearchState& search, std::optional<Error> lost) {
  CommandContext& context = search.context;
  Judge& judge = search.judging.judge();
  CommandResult result{std::move(search.report), std::move(lost)};
  Report& report = result.report;
  report.program = context.program().arguments;
  report.seconds = context.budget.secondsUsed();
  judge.countRuns(/*merges=*/search.samples); // other commands list each pair
  report.findings = judge.findings().all();
  tellKnownIssues(report, context.options());
  if (report.findings.empty())
    warnOfSingleRun(context);
  report.warnings = context.notes.warnings();
  report.notSeen = context.notes.notSeen();
  report.interrupted = interrupted();
  summarizeRuns(context, report);
  reportSuppressions(context.suppressions.suppressed(), context.suppressions.unused(), report);
  if (!result.lost)
    result.lost = judge.lost();
  if (!result.lost && report.findings.empty() && !report.interrupted)
    result.lost = noRunEnded(context);
  return result;
}

} // namespace

Result<CommandResult> execute(SearchState& search, std::vector<ListedStage> list) {
  Scheduler scheduler(search, std::move(list));
  Status status = scheduler.execute();
  scheduler.summarize(search.report);
  if (status)
    return finish(search, std::nullopt);
  if (status.error().isUsage() && search.judging.judge().findings().all().empty())
    return status.error();
  return finish(search, status.error());
}

} // namespace heddle
