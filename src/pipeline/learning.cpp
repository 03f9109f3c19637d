#include "pipeline/learning.h"

#include "pipeline/first_run.h"

namespace heddle {
namespace {

/// However much there is to learn, some time it must be used.
constexpr uint64_t kMostRecordings = 50;
/// Events of a complete recording: a second's worth.
constexpr uint64_t kCompleteEvents = 4'000'000;

} // namespace

std::string buildName(const Program& program) {
  // What one test shares between threads another one may not.
  return program.test.empty() ? program.buildId : program.buildId + " " + program.test;
}

Learning::Learning(Campaign& campaign, Prediction& prediction)
    : campaign_(campaign), prediction_(prediction) {
  loadStored();
}

void Learning::loadStored() {
  if (!campaign_.store())
    return;
  auto stored = campaign_.store()->currentPoints(buildName(campaign_.program()));
  if (!stored) {
    campaign_.addWarning(stored.error().message);
    return;
  }
  if (!*stored)
    return;
  for (SiteIdentity site : (*stored)->sites)
    shared_.insert(raw(site));
  publish();
}

EventSink Learning::prepare(PlanRequest& request, bool complete) {
  request.plan.flags |= kPlanLearn | kPlanDumpSites | kPlanCallers | kPlanStacks;
  request.plan.flags |= complete ? kPlanRecord : kPlanRecordListed;
  request.plan.traceLimit = complete ? kCompleteEvents : 0;
  campaign_.leaveOutLocalSites(request);
  return prediction_.beginRun();
}

Status Learning::takeIn(Session& session, const RunRecord& record) {
  if (record.sites)
    prediction_.endRun(record);
  auto sites = session.sites();
  if (!sites)
    return sites.error();
  campaign_.checkLocalSites(**sites);
  size_t before = shared_.size();
  uint64_t executions = 0;
  for (const SiteEntry& site : (*sites)->entries()) {
    if (site.executions != 0)
      executed_.insert(raw(site.identity));
    if (site.learned & kLearnedShared)
      shared_.insert(raw(site.identity));
    if (shared_.contains(raw(site.identity)))
      executions += site.executions;
  }
  campaign_.noteStepsWithPoints(record.result.steps + executions);
  if (shared_.size() != before)
    publish();
  return Unit{};
}

Result<std::vector<FailingRun>> Learning::learn(Session& session, unsigned quiet,
                                                bool stopAtFailure) {
  session_ = &session;
  std::vector<FailingRun> failures;
  unsigned nothingNew = 0;
  for (uint64_t i = 0; i < kMostRecordings && nothingNew < quiet; ++i) {
    if (i >= campaign_.options().recordings && nothingNew != 0)
      break;
    campaign_.showProgress({"recordings", i, 0, 0});
    size_t before = shared_.size() + prediction_.candidates().size();
    auto failing = learnOnce(campaign_.options().seed + i);
    if (!failing)
      return failing.error();
    if (*failing)
      failures.push_back(std::move(**failing));
    if (campaign_.mustEnd() || (stopAtFailure && !failures.empty()))
      break;
    bool isNew = shared_.size() + prediction_.candidates().size() != before;
    nothingNew = isNew ? 0 : nothingNew + 1;
  }
  return failures;
}

Result<std::optional<FailingRun>> Learning::learnOnce(uint64_t seed) {
  PlanRequest request = campaign_.plan(StrategyKind::Random, seed, 1);
  EventSink sink = prepare(request, /*complete=*/false);
  auto report = session_->execute(request, sink, true);
  if (!report)
    return report.error();
  if (!report->last)
    return std::optional<FailingRun>(); // interrupted, or out of time
  ++recordings_;
  RunRecord& record = *report->last;
  if (Status status = requireControl(record); !status)
    return status.error();
  bool failed = campaign_.judgeEnd(record);
  campaign_.tally().add(record.result, failed);
  std::optional<FailingRun> failing;
  if (failed) {
    failing = campaign_.failingRun(record, StrategyKind::Random);
    failing->index = campaign_.tally().runs;
  }
  if (Status status = takeIn(*session_, record); !status)
    return status.error();
  return failing;
}

void Learning::publish() {
  PointsChoice& points = campaign_.points();
  points.sites.assign(shared_.begin(), shared_.end());
  points.name.clear();
  if (!campaign_.store())
    return;
  std::vector<SiteIdentity> identities;
  for (uint64_t site : shared_)
    identities.push_back(static_cast<SiteIdentity>(site));
  auto set = campaign_.store()->addPoints(buildName(campaign_.program()), identities);
  if (set)
    points.name = set->id;
  else
    campaign_.addWarning(set.error().message);
}

} // namespace heddle
