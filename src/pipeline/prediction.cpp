#include "pipeline/prediction.h"

namespace heddle {
namespace {

/// A side by identities, or nothing for sites that no later run could be told about.
bool resolve(const SiteCatalog& sites, SiteId site, SiteId caller, CandidateSide& side) {
  const SiteEntry* entry = sites.find(site);
  if (!entry || entry->linkageName.empty())
    return false;
  const SiteEntry* callerEntry = sites.find(caller);
  side = {entry->identity, callerEntry ? callerEntry->identity : SiteIdentity::None};
  return true;
}

} // namespace

EventSink Prediction::beginRun() {
  analyses_ = std::make_unique<Analyses>();
  return [this](std::span<const Event> events) {
    analyses_->races.add(events);
    analyses_->cycles.add(events);
  };
}

bool Prediction::endRun(std::shared_ptr<const SiteCatalog> sites) {
  sites_ = std::move(sites);
  bool newRaces = addRaces();
  bool newCycles = addCycles();
  analyses_.reset();
  return newRaces || newCycles;
}

bool Prediction::addRaces() {
  bool isNew = false;
  for (const RacePair& pair : analyses_->races.pairs()) {
    Candidate candidate;
    candidate.kind = TargetKind::Race;
    candidate.origin = "prediction";
    candidate.count = pair.count;
    candidate.unordered = pair.unordered;
    candidate.sides.resize(2);
    if (resolve(*sites_, pair.first.site, pair.first.caller, candidate.sides[0]) &&
        resolve(*sites_, pair.second.site, pair.second.caller, candidate.sides[1]))
      isNew |= candidates_.add(std::move(candidate));
  }
  return isNew;
}

bool Prediction::addCycles() {
  bool isNew = false;
  for (const LockCycle& cycle : analyses_->cycles.cycles()) {
    Candidate candidate;
    candidate.kind = TargetKind::LockCycle;
    candidate.origin = "prediction";
    candidate.count = 1;
    candidate.unordered = true;
    bool known = true;
    for (const LockEdge& edge : cycle.edges)
      known &= resolve(*sites_, edge.site, edge.caller, candidate.sides.emplace_back());
    if (known)
      isNew |= candidates_.add(std::move(candidate));
  }
  return isNew;
}

} // namespace heddle
