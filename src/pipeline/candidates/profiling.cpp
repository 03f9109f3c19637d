#include "pipeline/candidates/profiling.h"

#include "control/memory_limit.h"

#include <algorithm>

namespace heddle {
namespace {

/// Events of a profile of a long run: what comes after them is mostly the same again, and a look at
/// it would take the time of the other profiles.
constexpr uint64_t kLongEvents = 500'000;

uint64_t mostEvents(const CommandContext& context) {
  return context.lengths.isLong() ? kLongEvents : AtomicityPrediction::kMaxEvents;
}

/// What a unit does may depend on who came first. Random runs mix threads finely, so that long
/// parts of them end in the same order in most runs; in the others one thread is far ahead of
/// another.
StrategyKind profilingStrategy(uint64_t index) {
  constexpr StrategyKind others[] = {StrategyKind::RunToBlock, StrategyKind::Random,
                                     StrategyKind::Pct};
  return index == 0 ? StrategyKind::NonPreemptive : others[index % std::size(others)];
}

SiteIdentity identityOf(const SiteCatalog& sites, SiteId site) {
  const SiteEntry* entry = sites.find(site);
  return entry && !entry->linkageName.empty() ? entry->identity : SiteIdentity::None;
}

CandidateExample exampleOf(const RunRecord& record, const PredictedPattern& pattern) {
  CandidateExample example;
  auto firstEntry = static_cast<uint32_t>(pattern.steps.size());
  for (uint32_t i = 0; i < 2; ++i) {
    const PatternUnit& unit = pattern.units[i];
    ThreadPath path =
        unit.thread < record.threads.size() ? record.threads[unit.thread].path : ThreadPath::None;
    example.sides.push_back({path, unit.object, unit.occurrence, firstEntry + i});
  }
  example.leader = 0;
  return example;
}

} // namespace

std::optional<Candidate> candidateOf(const RunRecord& record, const PredictedPattern& pattern) {
  if (!record.sites)
    return std::nullopt;
  Candidate candidate;
  candidate.kind = TargetKind::AtomicSet;
  candidate.origin = "prediction";
  candidate.count = pattern.count;
  candidate.unordered = true;
  for (const PatternAccess& step : pattern.steps)
    candidate.sides.push_back(
        {identityOf(*record.sites, step.site), SiteIdentity::None, step.context});
  for (const PatternUnit& unit : pattern.units)
    candidate.sides.push_back({identityOf(*record.sites, unit.entry), SiteIdentity::None, 0});
  bool known = std::all_of(candidate.sides.begin(), candidate.sides.end(),
                           [](const auto& side) { return side.site != SiteIdentity::None; });
  if (!known)
    return std::nullopt;
  candidate.examples.push_back(exampleOf(record, pattern));
  candidate.pattern.number = pattern.number;
  candidate.pattern.form = pattern.form;
  candidate.pattern.windowLocks[0] = pattern.windowLocks[0];
  candidate.pattern.windowLocks[1] = pattern.windowLocks[1];
  candidate.pattern.owned = pattern.owned;
  candidate.pattern.set = pattern.set;
  candidate.pattern.globals = pattern.globals;
  candidate.pattern.members[0] = pattern.members[0];
  candidate.pattern.members[1] = pattern.members[1];
  return candidate;
}

Result<std::vector<CapturedRun>> Profiling::profile(uint64_t runs) {
  std::vector<CapturedRun> failures;
  auto session = Session::create(context_.sharedProgram(), context_.sessions.options());
  if (!session)
    return session.error();
  shared_.insert(context_.plans.points().sites.begin(), context_.plans.points().sites.end());
  for (uint64_t i = 0; i < runs && !context_.budget.searchIsOver(); ++i) {
    size_t before = shared_.size();
    context_.showProgress({"profiling", i, 0, 0});
    if (Status status = profileOnce(*session, i, failures); !status)
      return status.error();
    // What it has just shown to be shared, or to be a declared unit, was not in its trace.
    if (shared_.size() != before && !context_.budget.searchIsOver())
      if (Status status = profileOnce(*session, i, failures); !status)
        return status.error();
  }
  context_.notes.noteModules(*session);
  return failures;
}

Status Profiling::profileOnce(Session& session, uint64_t index,
                              std::vector<CapturedRun>& failures) {
  StrategyKind strategy = profilingStrategy(index);
  PlanRequest request = context_.plans.plan(strategy, context_.options().seed + index, 1);
  request.plan.flags |= kPlanRecordListed | kPlanUnits | kPlanStacks | kPlanDumpSites | kPlanLearn;
  request.listedSites.assign(shared_.begin(), shared_.end());
  if (context_.lengths.isLong())
    request.plan.points = PointSet::Sync;
  request.plan.traceLimit = mostEvents(context_);
  request.plan.thinFirst = 0;
  context_.localSites.leaveOut(request, context_.options().local_checks);
  AtomicityPrediction prediction;
  prediction.setLimits([&] { return context_.budget.mustEnd(); }, memoryIsShort);
  auto report = session.execute(
      request, [&](std::span<const Event> events) { prediction.add(events); }, true);
  if (!report)
    return report.error();
  context_.tally.noteOutOfTime(*report);
  if (!report->last)
    return Success{}; // interrupted, or out of time
  RunRecord& record = *report->last;
  if (Status status = requireControl(record); !status)
    return status;
  ++runs_;
  if (auto sites = session.sites()) {
    context_.localSites.check(**sites, context_.notes);
    for (const SiteEntry& site : (*sites)->entries())
      if (site.learned & kLearnedShared)
        shared_.insert(raw(site.identity));
  }
  if (annotations_ && record.sites)
    shared_.merge(annotations_->declaredEntries(*record.sites));
  bool failed = context_.notes.judgeEnd(record);
  context_.count(record.result, failed);
  context_.tally.noteCut(record);
  if (failed) {
    failures.push_back(capture(context_, record, request));
    keepPoints(context_, failures.back());
    failures.back().index = context_.tally.runs;
  }
  return predict(prediction, record);
}

Status Profiling::predict(AtomicityPrediction& prediction, const RunRecord& record) {
  if (!record.sites)
    return Success{};
  SetAnnotations said = annotations_ ? *annotations_ : SetAnnotations();
  for (const std::string& place : said.addDeclarations(*record.sites))
    context_.notes.addWarning(place +
                              ": it is not known which member is meant; declare sets of members "
                              "of `this` or of a parameter, or of globals, with -g");
  if (Status status = said.check(*record.sites); !status)
    return status;
  prediction.declareUnits(said.declaredUnits(*record.sites));
  sites_ = record.sites;
  auto entries = record.sites->entries();
  bool typed = false;
  for (const SiteEntry& site : entries) {
    hasEntries_ |= site.kind == SiteKind::Enter && (site.flags & kSiteCallees) == 0;
    typed |= site.kind == SiteKind::Enter && !site.object.empty();
  }
  if (hasEntries_ && !typed)
    context_.notes.addWarning(
        "without debug information only `this` and references are known to be "
        "objects, and members have no names: compile with -g");
  for (const PredictedPattern& pattern : prediction.patterns(*record.sites))
    if (auto candidate = candidateOf(record, pattern);
        candidate && said.apply(*candidate, *record.sites))
      candidates_.add(std::move(*candidate));
  units_ = std::max<uint64_t>(units_, prediction.units());
  if (prediction.isCut() || record.result.events >= mostEvents(context_))
    context_.notes.noteLeftOut("profiling runs after their first part");
  returnMemory();
  return Success{};
}

} // namespace heddle
