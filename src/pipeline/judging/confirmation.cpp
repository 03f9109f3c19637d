#include "pipeline/judging/confirmation.h"

#include "model/trace_file.h"

#include <algorithm>
#include <cstdio>

namespace heddle {
namespace {

/// Events that are kept for the interleaving; the whole trace goes to the store.
constexpr size_t kKeptEvents = 200'000;
constexpr size_t kShortRunDecisions = 10'000;
/// A run of few decisions may still make very many accesses. So much time a recording of all of
/// them gets, or a share of what is left.
constexpr uint64_t kWholeRecordingNanos = 1'000'000'000;
constexpr uint64_t kWholeRecordingShare = 8;

uint64_t wholeRecordingNanos(uint64_t left) {
  return left == 0 ? 0
                   : std::min(left, std::max(kWholeRecordingNanos, left / kWholeRecordingShare));
}

Error outOfTime() { return Error{"time limit reached", ErrorKind::OutOfTime}; }

Error notEnded(const BatchReport& report) {
  return report.interrupted ? Error{"interrupted", ErrorKind::Interrupted} : outOfTime();
}

std::string describeOutcome(const RunRecord& record) {
  if (record.result.outcome == Outcome::Failed)
    return std::string("failed (") + failureKindName(record.failure) +
           (record.message.empty() ? "" : ": " + record.message) + ")";
  if (record.result.outcome == Outcome::Finished)
    return "finished with exit status " + std::to_string(record.result.exitStatus);
  return outcomeName(record.result.outcome) +
         (record.message.empty() ? std::string() : ": " + record.message);
}

} // namespace

std::string digestText(uint64_t digest) {
  char text[20];
  snprintf(text, sizeof(text), "%016llx", static_cast<unsigned long long>(digest));
  return text;
}

std::string describeDifference(const RunRecord& first, const RunRecord& replayed) {
  if (replayed.result.outcome == Outcome::Diverged)
    return "the replay diverged: " + replayed.message;
  bool sameEnd = first.result.outcome == replayed.result.outcome &&
                 first.failure == replayed.failure &&
                 first.result.exitStatus == replayed.result.exitStatus;
  if (!sameEnd)
    return "the run " + describeOutcome(first) + ", its replay " + describeOutcome(replayed);
  if (first.result.digest != replayed.result.digest)
    return "the run's trace digest is " + digestText(first.result.digest) + " (" +
           std::to_string(first.result.steps) + " steps), its replay's " +
           digestText(replayed.result.digest) + " (" + std::to_string(replayed.result.steps) +
           " steps)";
  return {};
}

Result<Session*> Confirmation::session() {
  if (session_)
    return &*session_;
  SessionOptions options = context_.sessions.freshOptions();
  options.isolation = isolation_.value_or(options.isolation);
  auto created = Session::create(context_.sharedProgram(), options);
  if (!created)
    return created.error();
  session_.emplace(std::move(*created));
  return &*session_;
}

Result<RunRecord> Confirmation::replay(const Schedule& schedule, const std::vector<uint64_t>& sites,
                                       Until until) {
  if (context_.budget.graceIsOver()) // the schedule of a long run takes long to hand over
    return outOfTime();
  auto session = this->session();
  if (!session)
    return session.error();
  PlanRequest request = context_.plans.replayPlan(schedule, sites, until);
  request.plan.flags |= kPlanDumpSites;
  auto report = (*session)->execute(request, nullptr, true);
  if (!report)
    return report.error();
  context_.tally.judging += report->results.size();
  if (!report->last)
    return notEnded(*report);
  return std::move(*report->last);
}

Result<Verdict> Confirmation::confirm(const CapturedRun& failing) {
  auto replayed = replay(failing.schedule, failing.sites);
  if (!replayed && replayed.error().isNotEnded())
    return Verdict();
  if (!replayed)
    return replayed.error();
  Verdict verdict;
  if (failing.record.failure == FailureKind::ExitStatus &&
      context_.notes.isBadExit(replayed->result))
    replayed->failure = FailureKind::ExitStatus;
  verdict.difference = describeDifference(failing.record, *replayed);
  verdict.answer =
      verdict.difference.empty() ? Verdict::Answer::Confirmed : Verdict::Answer::Different;
  verdict.run = failing;
  verdict.replayed = std::move(*replayed);
  return verdict;
}

namespace {

/// In code that runs without hooks a crash is only known to be behind the last call. A recorded run
/// has the access: the thread's last one, if it is to the address of the fault.
void placeCrash(RecordedRun& recorded) {
  RunRecord& record = recorded.record;
  if (record.failure != FailureKind::Crash)
    return;
  for (size_t i = recorded.events.size(); i > 0; --i) {
    const Event& event = recorded.events[i - 1];
    bool isAccess = static_cast<EventKind>(event.kind) <= EventKind::AtomicUpdate;
    if (event.thread != raw(record.thread) || !isAccess)
      continue;
    uint64_t end = event.address + std::max<uint64_t>(event.size, 1);
    if (event.address <= record.address && record.address < end)
      record.site = static_cast<SiteId>(event.site);
    return;
  }
}

} // namespace

Result<RecordedRun> Confirmation::replayInDetail(const Schedule& schedule,
                                                 const std::vector<uint64_t>& sites,
                                                 const std::string& findingId) {
  // Short runs are recorded whole: what the failure depends on need not be a scheduling point.
  if (schedule.decisions.size() < kShortRunDecisions) {
    auto recorded = record(schedule, sites, findingId, /*whole=*/true);
    if (!recorded)
      return recorded.error();
    if (*recorded)
      return std::move(**recorded);
  }
  auto recorded = record(schedule, sites, findingId, /*whole=*/false);
  if (!recorded)
    return recorded.error();
  return std::move(**recorded);
}

Result<std::optional<RecordedRun>> Confirmation::record(const Schedule& schedule,
                                                        const std::vector<uint64_t>& sites,
                                                        const std::string& findingId, bool whole) {
  if (context_.budget.graceIsOver())
    return outOfTime();
  auto session = this->session();
  if (!session)
    return session.error();
  PlanRequest request = context_.plans.replayPlan(schedule, sites);
  request.plan.flags |=
      kPlanStacks | (whole ? kPlanRecord : kPlanRecordListed) | kPlanValues | kPlanDumpSites;
  if (whole)
    request.plan.wallNanos = wholeRecordingNanos(request.plan.wallNanos);
  RecordedRun recorded;
  std::optional<PendingTrace> pending;
  std::optional<TraceWriter> writer;
  if (context_.store() && !findingId.empty())
    if (auto place = context_.store()->beginTrace()) {
      pending.emplace(std::move(*place));
      if (auto created = TraceWriter::create(pending->path()))
        writer.emplace(std::move(*created));
    }
  Status written = Success{};
  auto sink = [&](std::span<const Event> events) {
    recorded.totalEvents += events.size();
    recorded.events.insert(recorded.events.end(), events.begin(), events.end());
    if (recorded.events.size() > kKeptEvents)
      recorded.events.erase(recorded.events.begin(), recorded.events.end() - kKeptEvents);
    if (writer && written)
      written = writer->append(events);
  };
  auto report = (*session)->execute(request, sink, true);
  if (!report)
    return report.error();
  context_.tally.judging += report->results.size();
  if (!report->last && whole && !report->interrupted)
    return std::optional<RecordedRun>();
  if (!report->last)
    return notEnded(*report);
  recorded.record = std::move(*report->last);
  placeCrash(recorded);
  if (!writer)
    return std::optional(std::move(recorded));
  static const SiteCatalog kNoSites;
  if (written)
    written = writer->finish(recorded.record.sites ? *recorded.record.sites : kNoSites);
  if (written) {
    auto kept =
        context_.store()->keepTrace(std::move(*pending), findingId, context_.program().executable,
                                    writer->eventCount(), recorded.record.result.digest);
    if (!kept)
      written = kept.error();
  }
  if (!written)
    context_.notes.addWarning(written.error().message);
  return std::optional(std::move(recorded));
}

} // namespace heddle
