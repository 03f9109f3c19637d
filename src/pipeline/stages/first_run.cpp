#include "pipeline/stages/first_run.h"

#include "describe/finding_notes.h"

#include <algorithm>
#include <sstream>

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
  return Error{"the run without preemption did not end before the time limit: nothing was "
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

Result<std::optional<CapturedRun>> firstRun(CommandContext& context, Learning* learning,
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
    return std::optional<CapturedRun>();
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
  std::optional<CapturedRun> failing;
  if (failed) {
    failing = capture(context, record, request);
    failing->index = 1;
  }
  if (learning && recorded)
    if (Status status = learning->takeIn(*session, record); !status)
      return status.error();
  return failing;
}

Turn FirstRun::advance() {
  Turn turn;
  const Program& program = search_.context.program();
  // A single test is judged as it is, and `run` runs what it is given.
  bool needsThreads = search_.report.command != "run" && program.test.empty();
  bool records = search_.learns() && !search_.learning.isKnown();
  auto failing = firstRun(search_.context, records ? &search_.learning : nullptr, needsThreads);
  if (!failing) {
    turn.error = failing.error();
    return turn;
  }
  failed_ = failing->has_value();
  if (!failed_)
    return turn;
  turn.endsSearch = search_.samples;
  if (Status status = judge(**failing); !status)
    turn.error = status.error();
  return turn;
}

/// Of a failure that needs no preemption `races` and `atomicity` report, and look for the rest.
Status FirstRun::judge(const CapturedRun& failing) {
  search_.addSummary("the run without preemption failed: no preemption is needed");
  if (onlyWaitsForWork(failing.record))
    search_.addSummary("nobody waits for a lock: if this is a server that waits for work, check it "
                       "with --until-idle");
  return search_.judging.judge().judge({failing});
}

void FirstRun::begin() {
  if (!failed_)
    search_.addSummary("without preemption: exit status " +
                       std::to_string(search_.context.notes.normalExitStatus()));
  std::string why = search_.context.sessions.options().isolationReason;
  if (!why.empty())
    search_.addSummary("runs are forked, and not made in place: " + why);
}

} // namespace heddle
