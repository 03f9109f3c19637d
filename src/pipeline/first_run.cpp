#include "pipeline/first_run.h"

#include <algorithm>
#include <sstream>

namespace heddle {

Status requireControl(const RunRecord& record) {
  Outcome outcome = record.result.outcome;
  if (outcome != Outcome::LostControl && outcome != Outcome::Died)
    return Success{};
  std::string text = "lost control of the program: " + record.message;
  if (record.message.empty())
    text += record.signal != 0 ? "a run was ended by signal " + std::to_string(record.signal)
                               : std::string("a run ended without a result");
  if (!record.output.empty())
    text += "\nits output was:\n" + record.output;
  return Error{text, ErrorKind::LostControl};
}

namespace {

/// CPU time without a scheduling point after which it is asked whether recording makes the run so
/// slow, or whether it never ends.
constexpr double kDoubtSeconds = 2;
/// Of the time that is left, for the first recording.
constexpr double kRecordingShare = 0.3;
constexpr size_t kShownLines = 5;

/// The run without preemption. The place at which it is when the time is over is asked for.
Result<BatchReport> runPlain(CommandContext& context, Session& session) {
  PlanRequest plain = context.plans.plan(StrategyKind::NonPreemptive, context.options().seed, 1);
  plain.plan.flags |= kPlanDumpSites; // which the place is told by
  plain.saysWhere = true;
  return session.execute(plain, nullptr, true);
}

/// The same, recorded, in a part of the time: if that is not enough, the rest is for one that is
/// not.
Result<BatchReport> runRecorded(CommandContext& context, Session& session, Learning& learning,
                                double silenceSeconds) {
  StageLimit limit(context.budget, shareOfTime(context.budget, kRecordingShare));
  PlanRequest recorded = context.plans.plan(StrategyKind::NonPreemptive, context.options().seed, 1);
  EventSink sink = learning.prepare(recorded, /*complete=*/true);
  recorded.silenceSeconds = silenceSeconds;
  return session.execute(recorded, sink, true);
}

struct FirstReport {
  Result<BatchReport> report;
  bool recorded;
};

/// The run without preemption, recorded if that is wanted and does not take too long. One that is
/// silent is run again as it is: if it never ends, there is no need to wait for as long as a
/// recording may take.
FirstReport runOnce(CommandContext& context, Session& session, Learning* learning) {
  if (!learning)
    return {runPlain(context, session), false};
  double doubt = std::min(kDoubtSeconds, context.options().hang_seconds);
  auto report = runRecorded(context, session, *learning, doubt);
  bool ended = report && (report->last || report->interrupted);
  if (!report || (ended && !report->silent))
    return {std::move(report), true};
  auto again = runPlain(context, session);
  if (again && again->silent && ended)
    return {std::move(report), true}; // which knows the place
  if (again && again->silent)
    return {std::move(again), false};
  if (!ended || !again || !again->last)
    return {std::move(again), false};
  auto patient = runRecorded(context, session, *learning, 0);
  if (patient && !patient->last && !patient->interrupted)
    return {std::move(again), false};
  return {std::move(patient), true};
}

/// That nothing was checked must not look like nothing was found.
Error notEnded(const std::string& place) {
  return Error{"the run without preemption did not end before the time was used up: nothing was "
               "checked" +
                   (place.empty() ? "" : "; " + place) +
                   "; give it more with --seconds if it needs longer, or less to do if it never "
                   "ends (of a server that waits for work: use --until-idle)",
               ErrorKind::LostControl};
}

/// The last lines in one.
std::string endOf(const std::string& output) {
  std::vector<std::string> lines;
  std::istringstream text(output);
  for (std::string line; std::getline(text, line);)
    if (!line.empty())
      lines.push_back(line);
  std::string end = lines.size() > kShownLines ? "... | " : "";
  size_t first = lines.size() - std::min(lines.size(), kShownLines);
  for (size_t i = first; i < lines.size(); ++i)
    end += (i == first ? "" : " | ") + lines[i];
  return end;
}

/// A program that says how it is used has nothing to interleave.
Error endsAtOnce(const RunRecord& record) {
  return Error{"the program makes no second thread and ends with status " +
                   std::to_string(record.result.exitStatus) +
                   ": there is nothing to check; does it need other arguments? " +
                   (record.output.empty() ? "It wrote nothing"
                                          : "Its output ends with: " + endOf(record.output)),
               ErrorKind::Usage};
}

} // namespace

Result<std::optional<FailingRun>> firstRun(CommandContext& context, Learning* learning,
                                           bool needsThreads) {
  context.showProgress({"run without preemption", 0, 0, 0});
  auto session = Session::create(context.sharedProgram(), context.sessions.freshOptions());
  if (!session)
    return session.error();
  PlanRequest request = context.plans.plan(StrategyKind::NonPreemptive, context.options().seed, 1);
  auto [report, recorded] = runOnce(context, *session, learning);
  if (!report)
    return report.error();
  if (!report->last && report->interrupted)
    return std::optional<FailingRun>();
  context.tally.noteOutOfTime(*report);
  if (!report->last)
    return notEnded(report->place);
  RunRecord& record = *report->last;
  if (Status status = requireControl(record); !status)
    return status.error();
  bool failed = record.result.outcome == Outcome::Failed;
  context.count(record.result, failed);
  context.tally.noteCut(record);
  bool badExit = record.result.outcome == Outcome::Finished && record.result.exitStatus != 0;
  if (needsThreads && badExit && record.result.threads == 1)
    return endsAtOnce(record);
  context.learnFromFirstRun(record, session->notes());
  if (badExit) {
    context.notes.addWarning(
        "the program ends with status " + std::to_string(record.result.exitStatus) +
        " also without preemption: exit statuses are not judged; " +
        (record.output.empty() ? "it wrote nothing"
                               : "its output ends with: " + endOf(record.output)));
  }
  // What is learned here has been no scheduling point of it.
  std::optional<FailingRun> failing;
  if (failed) {
    failing = capture(context, record, request);
    failing->index = 1;
  }
  if (learning && recorded)
    if (Status status = learning->takeIn(*session, record); !status)
      return status.error();
  return failing;
}

} // namespace heddle
