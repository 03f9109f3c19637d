#include "pipeline/candidates/learning.h"

#include "store/learned.h"

#include <algorithm>
#include <functional>

namespace heddle {
namespace {

/// However much there is to learn, some time it must be used.
constexpr uint64_t kMaxRecordings = 50;
/// Events of a complete recording: a second's worth.
constexpr uint64_t kCompleteEvents = 4'000'000;
/// Of one of the accesses to shared memory. What comes after them is not looked at.
constexpr uint64_t kSharedEvents = 8'000'000;
/// A recording that is silent for so many times what the longest one took never ends.
constexpr double kSilentRuns = 20;

/// Names what was recorded: another way of running the program shows other things.
std::string recordedName(const Program& program) {
  std::string name = buildName(program);
  for (size_t i = 1; i < program.arguments.size(); ++i)
    name += "\n" + program.arguments[i];
  return name + "\n" + std::to_string(std::hash<std::string>()(program.input));
}
/// Of a recording of a long run, and how many such recordings are made in a row.
constexpr uint64_t kLongEvents = 1'000'000;
constexpr uint64_t kLongRecordings = 2;

} // namespace

Learning::Learning(CommandContext& context, Prediction& prediction)
    : context_(context), prediction_(prediction) {
  loadStored();
}

void Learning::loadStored() {
  if (!context_.store())
    return;
  auto stored = context_.store()->currentPoints(buildName(context_.program()));
  if (!stored) {
    context_.notes.addWarning(stored.error().message);
    return;
  }
  if (!*stored)
    return;
  for (SiteIdentity site : (*stored)->sites)
    shared_.insert(raw(site));
  publish();
  auto learned = readLearned(*context_.store(), recordedName(context_.program()));
  if (!learned)
    return;
  earlierRecordings_ = learned->recordings;
  for (SiteIdentity site : learned->executed)
    executed_.insert(raw(site));
  for (Candidate& candidate : learned->candidates)
    prediction_.add(std::move(candidate));
  keptFacts_ = executed_.size() + prediction_.candidates().size();
}

void Learning::keep() {
  size_t facts = executed_.size() + prediction_.candidates().size();
  if (!context_.store() || (facts == keptFacts_ && isKnown()) || recordings_ == 0)
    return;
  Learned learned;
  learned.recordings = earlierRecordings_ + recordings_;
  for (uint64_t site : executed_)
    learned.executed.push_back(static_cast<SiteIdentity>(site));
  learned.candidates = prediction_.candidates().ranked();
  if (Status kept = writeLearned(*context_.store(), recordedName(context_.program()), learned);
      !kept)
    context_.notes.addWarning(kept.error().message);
  keptFacts_ = facts;
}

EventSink Learning::prepare(PlanRequest& request, bool complete) {
  request.plan.flags |= kPlanLearn | kPlanDumpSites | kPlanCallers | kPlanStacks;
  request.plan.flags |= complete ? kPlanRecord : kPlanRecordListed;
  request.plan.thinFirst = 0; // learning has its own way of leaving out executions
  request.plan.traceLimit = complete                    ? kCompleteEvents
                            : context_.lengths.isLong() ? kLongEvents
                                                        : kSharedEvents;
  // With decisions at all accesses a long run would take many times as long as it does alone.
  if (context_.lengths.isLong()) {
    request.plan.points = PointSet::Sync;
    request.plan.flags |= kPlanUncheckedSites; // a check needs every execution
  }
  if (!complete)
    request.listedSites = context_.plans.points().sites;
  context_.localSites.leaveOut(request, context_.options().local_checks);
  return prediction_.beginRun();
}

Status Learning::takeIn(Session& session, const RunRecord& record) {
  if (record.sites)
    prediction_.endRun(record);
  noteLeftOut(record);
  double seconds = static_cast<double>(record.result.nanos) * 1e-9;
  longestSeconds_ = std::max(longestSeconds_, seconds);
  mostEvents_ = std::max<uint64_t>(mostEvents_, record.result.events);
  auto sites = session.sites();
  if (!sites)
    return sites.error();
  context_.localSites.check(**sites, context_.notes);
  size_t before = shared_.size();
  uint64_t executions = 0;
  for (const SiteEntry& site : (*sites)->entries()) {
    if (site.executions != 0)
      executed_.insert(raw(site.identity));
    if (site.learned & kLearnedShared)
      shared_.insert(raw(site.identity));
    if (!shared_.contains(raw(site.identity)))
      continue;
    executions += site.executions;
    uint64_t& most = executions_[raw(site.identity)];
    most = std::max(most, site.executions);
  }
  context_.lengths.noteStepsWithPoints(record.result.steps + executions);
  context_.plans.points().executions = executions_;
  if (shared_.size() != before)
    publish();
  return Success{};
}

void Learning::noteLeftOut(const RunRecord& record) {
  if (prediction_.isCut())
    context_.notes.noteLeftOut("recordings after their first part, for which memory was left");
  else if (record.result.events >= kSharedEvents)
    context_.notes.noteLeftOut("recordings after their first " + std::to_string(kSharedEvents) +
                               " events");
}

Result<std::vector<CapturedRun>> Learning::learn(Session& session, unsigned quiet,
                                                 bool stopAtFailure) {
  session_ = &session;
  std::vector<CapturedRun> failures;
  auto measured = measureExecutions();
  if (!measured)
    return measured.error();
  if (*measured)
    failures.push_back(std::move(**measured));
  unsigned nothingNew = 0;
  quiet = isKnown() ? 1 : quiet;
  for (uint64_t i = 0; i < kMaxRecordings && nothingNew < quiet; ++i) {
    if (i >= context_.options().recordings && nothingNew != 0)
      break;
    // Who stops at the first failure explores windows next, which shows more in the same time.
    if (context_.lengths.isLong() && i >= (stopAtFailure ? 0 : kLongRecordings))
      break;
    context_.showProgress({"recordings", i, 0, 0});
    size_t before = shared_.size() + prediction_.candidates().size();
    auto failing = learnOnce(context_.options().seed + earlierRecordings_ + i);
    if (!failing)
      return failing.error();
    if (*failing)
      failures.push_back(std::move(**failing));
    if (context_.budget.searchIsOver() || (stopAtFailure && !failures.empty()))
      break;
    bool isNew = shared_.size() + prediction_.candidates().size() != before;
    nothingNew = isNew ? 0 : nothingNew + 1;
  }
  keep();
  return failures;
}

Result<std::optional<CapturedRun>> Learning::measureExecutions() {
  PlanRequest request =
      context_.plans.plan(StrategyKind::NonPreemptive, context_.options().seed, 1);
  if (request.plan.thinFirst == 0 || context_.budget.searchIsOver())
    return std::optional<CapturedRun>();
  request.plan.points = PointSet::Listed;
  request.listedSites = context_.plans.points().sites;
  request.plan.thinFirst = request.plan.thinLength = 1;
  request.plan.flags |= kPlanDumpSites;
  auto report = session_->execute(request, nullptr, true);
  if (!report)
    return report.error();
  context_.tally.noteOutOfTime(*report);
  if (!report->last)
    return std::optional<CapturedRun>(); // interrupted, or out of time
  RunRecord& record = *report->last;
  if (Status status = requireControl(record); !status)
    return status.error();
  bool failed = context_.notes.judgeEnd(record);
  context_.count(record.result, failed);
  auto sites = session_->sites();
  if (!sites)
    return sites.error();
  for (const SiteEntry& site : (*sites)->entries())
    if (uint64_t identity = raw(site.identity); shared_.contains(identity))
      executions_[identity] = std::max(executions_[identity], site.executions);
  context_.plans.points().executions = executions_;
  if (!failed)
    return std::optional<CapturedRun>();
  CapturedRun failing = capture(context_, record, request);
  keepPoints(context_, failing);
  failing.index = context_.tally.runs;
  return std::optional(std::move(failing));
}

Result<std::optional<CapturedRun>> Learning::learnOnce(uint64_t seed) {
  PlanRequest request = context_.plans.plan(StrategyKind::Random, seed, 1);
  EventSink sink = prepare(request, /*complete=*/false);
  if (longestSeconds_ != 0)
    request.silenceSeconds =
        std::max(context_.options().hang_seconds, kSilentRuns * longestSeconds_);
  auto report = session_->execute(request, sink, true);
  if (!report)
    return report.error();
  context_.tally.noteOutOfTime(*report);
  if (!report->last)
    return std::optional<CapturedRun>(); // interrupted, or out of time
  ++recordings_;
  RunRecord& record = *report->last;
  if (Status status = requireControl(record); !status)
    return status.error();
  bool failed = context_.notes.judgeEnd(record);
  context_.count(record.result, failed);
  context_.tally.noteCut(record);
  std::optional<CapturedRun> failing;
  if (failed) {
    failing = capture(context_, record, request);
    keepPoints(context_, *failing);
    failing->index = context_.tally.runs;
  }
  if (Status status = takeIn(*session_, record); !status)
    return status.error();
  return failing;
}

void Learning::publish() {
  PointsChoice& points = context_.plans.points();
  points.sites.assign(shared_.begin(), shared_.end());
  points.executions = executions_;
  points.name.clear();
  if (!context_.store())
    return;
  std::vector<SiteIdentity> identities;
  for (uint64_t site : shared_)
    identities.push_back(static_cast<SiteIdentity>(site));
  auto set = context_.store()->addPoints(buildName(context_.program()), identities);
  if (set)
    points.name = set->id;
  else
    context_.notes.addWarning(set.error().message);
}

} // namespace heddle
