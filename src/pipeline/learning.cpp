#include "pipeline/learning.h"

#include "pipeline/first_run.h"

namespace heddle {
namespace {

/// Recordings without a new site after which the set counts as settled.
constexpr unsigned kQuietRecordings = 2;

} // namespace

std::string buildName(const Program& program) { return program.buildId; }

Learning::Learning(Campaign& campaign, Session& session) : campaign_(campaign), session_(session) {
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

Result<std::optional<FailingRun>> Learning::learn() {
  unsigned quiet = 0;
  for (uint64_t i = 0; i < campaign_.options().recordings && quiet < kQuietRecordings; ++i) {
    campaign_.showProgress({"recordings", i, 0, 0});
    size_t before = shared_.size();
    auto failing = learnOnce(campaign_.options().seed + i);
    if (!failing || *failing || campaign_.mustEnd())
      return failing;
    quiet = shared_.size() == before ? quiet + 1 : 0;
  }
  return std::optional<FailingRun>();
}

Result<std::optional<FailingRun>> Learning::learnOnce(uint64_t seed) {
  PlanRequest request = campaign_.plan(StrategyKind::Random, seed, 1);
  request.plan.flags |= kPlanLearn | kPlanDumpSites;
  auto report = session_.execute(request, nullptr, true);
  if (!report)
    return report.error();
  if (!report->last)
    return std::optional<FailingRun>(); // interrupted, or out of time
  ++recordings_;
  RunRecord& record = *report->last;
  if (Status status = requireControl(record); !status)
    return status.error();
  bool badExit = campaign_.isBadExit(record.result);
  if (badExit)
    record.failure = FailureKind::ExitStatus;
  bool failed = record.result.outcome == Outcome::Failed || badExit;
  campaign_.tally().add(record.result, failed);
  if (failed) {
    FailingRun failing;
    failing.schedule = campaign_.scheduleOf(record);
    failing.index = campaign_.tally().runs;
    failing.record = std::move(record);
    return std::optional<FailingRun>(std::move(failing));
  }
  auto isNew = collect();
  if (!isNew)
    return isNew.error();
  if (*isNew)
    publish();
  return std::optional<FailingRun>();
}

Result<bool> Learning::collect() {
  auto sites = session_.sites();
  if (!sites)
    return sites.error();
  size_t before = shared_.size();
  for (const SiteEntry& site : (*sites)->entries())
    if (site.learned & kLearnedShared)
      shared_.insert(raw(site.identity));
  return shared_.size() != before;
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
