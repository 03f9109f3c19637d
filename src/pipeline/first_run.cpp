#include "pipeline/first_run.h"

#include <algorithm>
#include <sstream>

namespace heddle {

Status requireControl(const RunRecord& record) {
  Outcome outcome = record.result.outcome;
  if (outcome != Outcome::LostControl && outcome != Outcome::Died)
    return Unit{};
  std::string text = "lost control of the program: " + record.message;
  if (record.message.empty())
    text += record.signal != 0 ? "a run was ended by signal " + std::to_string(record.signal)
                               : std::string("a run ended without a result");
  if (!record.output.empty())
    text += "\nits output was:\n" + record.output;
  return Error{text, 4};
}

namespace {

/// CPU time without a scheduling point after which it is asked whether recording makes the run so
/// slow, or whether it never ends.
constexpr double kDoubtSeconds = 2;
constexpr size_t kShownLines = 5;

/// The run without preemption, recorded. One that is silent is run again as it is: if it never
/// ends, there is no need to wait for as long as a recording may take.
Result<BatchReport> runOnce(Campaign& campaign, Session& session, Learning* learning) {
  PlanRequest plain = campaign.plan(StrategyKind::NonPreemptive, campaign.options().seed, 1);
  if (!learning)
    return session.execute(plain, nullptr, true);
  PlanRequest recorded = plain;
  EventSink sink = learning->prepare(recorded, /*complete=*/true);
  recorded.silenceSeconds = std::min(kDoubtSeconds, campaign.options().hang_seconds);
  auto report = session.execute(recorded, sink, true);
  if (!report || !report->silent)
    return report;
  auto again = session.execute(plain, nullptr, true);
  if (again && again->silent)
    return report; // which knows the place
  if (!again || !again->last)
    return again;
  recorded = campaign.plan(StrategyKind::NonPreemptive, campaign.options().seed, 1);
  sink = learning->prepare(recorded, /*complete=*/true);
  return session.execute(recorded, sink, true);
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

} // namespace

Result<std::optional<FailingRun>> firstRun(Campaign& campaign, Learning* learning) {
  campaign.showProgress({"run without preemption", 0, 0, 0});
  auto session = Session::create(campaign.sharedProgram(), campaign.freshSessionOptions());
  if (!session)
    return session.error();
  auto report = runOnce(campaign, *session, learning);
  if (!report)
    return report.error();
  if (!report->last)
    return std::optional<FailingRun>(); // interrupted, or out of time
  RunRecord& record = *report->last;
  if (Status status = requireControl(record); !status)
    return status.error();
  bool failed = record.result.outcome == Outcome::Failed;
  campaign.tally().add(record.result, failed);
  if (!failed) {
    campaign.learnFromFirstRun(record.result, session->notes());
    if (record.result.exitStatus != 0)
      campaign.addWarning(
          "the program ends with status " + std::to_string(record.result.exitStatus) +
          " also without preemption: exit statuses are not judged; " +
          (record.output.empty() ? "it wrote nothing"
                                 : "its output ends with: " + endOf(record.output)));
    if (learning)
      if (Status status = learning->takeIn(*session, record); !status)
        return status.error();
    return std::optional<FailingRun>();
  }
  FailingRun failing = campaign.failingRun(std::move(record), StrategyKind::NonPreemptive);
  failing.index = 1;
  return std::optional<FailingRun>(std::move(failing));
}

} // namespace heddle
