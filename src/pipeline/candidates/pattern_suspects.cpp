#include "pipeline/candidates/pattern_suspects.h"

#include "control/memory_limit.h"
#include "pipeline/candidates/profiling.h"
#include "predict/composing_functions.h"

#include <map>
#include <set>

namespace heddle {
namespace {

/// All accesses of two units are compared, which takes too long for a run that spins.
constexpr size_t kMaxEvents = 20'000;

bool isSameEnd(const BatchReport& report, const CapturedRun& failing) {
  return report.last && report.last->sites &&
         report.last->result.outcome == failing.record.result.outcome;
}

/// A replay of the failing run with the units of work and these accesses in its trace.
struct ReplayedUnits {
  AtomicityPrediction trace;
  size_t events = 0;
  RunRecord record;
};

Result<std::optional<ReplayedUnits>> replayWithUnits(CommandContext& context, Session& session,
                                                     const CapturedRun& failing,
                                                     const std::set<uint64_t>& accesses) {
  PlanRequest request = context.plans.replayPlan(failing.schedule, failing.sites, Until::StageEnd);
  request.plan.flags |= kPlanRecordListed | kPlanUnits | kPlanStacks | kPlanDumpSites | kPlanLearn;
  request.listedSites.assign(accesses.begin(), accesses.end());
  ReplayedUnits replayed;
  replayed.trace.setLimits([&] { return context.budget.mustEnd(); }, memoryIsShort);
  auto report = session.execute(
      request,
      [&](std::span<const Event> events) {
        replayed.events += events.size();
        if (replayed.events <= kMaxEvents)
          replayed.trace.add(events);
      },
      true);
  if (!report)
    return report.error();
  context.tally.judging += report->results.size();
  if (!isSameEnd(*report, failing) || replayed.events > kMaxEvents)
    return std::optional<ReplayedUnits>();
  replayed.record = std::move(*report->last);
  return std::optional(std::move(replayed));
}

} // namespace

Result<std::vector<std::string>> composingFunctionsOf(CommandContext& context,
                                                      const CapturedRun& failing) {
  auto session = Session::create(context.sharedProgram(), context.sessions.freshOptions());
  if (!session)
    return session.error();
  PlanRequest request = context.plans.replayPlan(failing.schedule, failing.sites, Until::StageEnd);
  request.plan.flags |= kPlanRecordListed | kPlanUnits | kPlanStacks | kPlanDumpSites;
  ComposingFunctions functions;
  size_t events = 0;
  auto report = session->execute(
      request,
      [&](std::span<const Event> some) {
        events += some.size();
        if (events <= kMaxEvents)
          functions.add(some);
      },
      true);
  if (!report)
    return report.error();
  context.tally.judging += report->results.size();
  return isSameEnd(*report, failing) ? functions.innermostFirst(*report->last->sites)
                                     : std::vector<std::string>();
}

Result<std::vector<Candidate>> patternSuspectsOf(CommandContext& context,
                                                 const CapturedRun& failing,
                                                 const SetAnnotations& annotations) {
  std::vector<Candidate> suspects;
  auto session = Session::create(context.sharedProgram(), context.sessions.freshOptions());
  if (!session)
    return session.error();
  std::set<uint64_t> accesses(failing.sites.begin(), failing.sites.end());
  accesses.insert(context.plans.points().sites.begin(), context.plans.points().sites.end());
  auto replayed = replayWithUnits(context, *session, failing, accesses);
  if (!replayed || !*replayed)
    return replayed ? Result(suspects) : replayed.error();
  size_t before = accesses.size();
  if (auto sites = session->sites()) {
    for (const SiteEntry& site : (*sites)->entries())
      if (site.learned & kLearnedShared)
        accesses.insert(raw(site.identity));
    accesses.merge(annotations.declaredEntries(**sites));
  }
  // What it has just shown to be shared, or to be a declared unit, was not in its trace.
  if (accesses.size() != before)
    replayed = replayWithUnits(context, *session, failing, accesses);
  if (!replayed || !*replayed)
    return replayed ? Result(suspects) : replayed.error();
  auto& [trace, events, record] = **replayed;
  SetAnnotations said = annotations;
  said.addDeclarations(*record.sites);
  trace.declareUnits(said.declaredUnits(*record.sites));
  std::multimap<uint32_t, Candidate> simplestFirst;
  for (const PredictedPattern& pattern : trace.observed(*record.sites))
    if (auto candidate = candidateOf(record, pattern);
        candidate && said.apply(*candidate, *record.sites))
      simplestFirst.emplace(pattern.number, std::move(*candidate));
  for (auto& [number, candidate] : simplestFirst)
    suspects.push_back(std::move(candidate));
  return suspects;
}

} // namespace heddle
