#include "pipeline/first_run.h"

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

Result<std::optional<FailingRun>> firstRun(Campaign& campaign, Learning* learning) {
  campaign.showProgress({"run without preemption", 0, 0, 0});
  auto session = Session::create(campaign.sharedProgram(), campaign.freshSessionOptions());
  if (!session)
    return session.error();
  PlanRequest request = campaign.plan(StrategyKind::NonPreemptive, campaign.options().seed, 1);
  EventSink sink = learning ? learning->prepare(request, /*complete=*/true) : EventSink();
  auto report = session->execute(request, sink, true);
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
