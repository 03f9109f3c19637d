#include "pipeline/candidates/prediction.h"

#include "control/memory_limit.h"

#include <algorithm>

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

RoleExample exampleSide(const RunRecord& record, uint32_t thread, uint64_t address,
                        uint32_t occurrence) {
  ThreadPath path = thread < record.threads.size() ? record.threads[thread].path : ThreadPath::None;
  return {path, address, occurrence, 0};
}

CandidateExample exampleOf(const RunRecord& record, const RacePair& pair) {
  CandidateExample example;
  for (const RaceAccess* side : {&pair.first, &pair.second})
    example.sides.push_back(exampleSide(record, side->thread, pair.address, side->occurrence));
  // One that holds a lock while it waits keeps those away who need the lock to come.
  size_t first = pair.first.locks.size();
  size_t second = pair.second.locks.size();
  bool firstLeads = first == second ? pair.firstIsEarlier : first < second;
  example.leader = firstLeads ? 0 : 1;
  return example;
}

CandidateExample exampleOf(const RunRecord& record, const LockCycle& cycle) {
  CandidateExample example;
  for (const LockEdge& edge : cycle.edges)
    example.sides.push_back(exampleSide(record, edge.thread, edge.wanted, 0));
  return example;
}

bool resolve(const SiteCatalog& sites, const AtomicOperation& operation, AtomicSide& side) {
  side.order = operation.order;
  side.update = operation.update;
  return resolve(sites, operation.site, operation.caller, side.place);
}

std::vector<MissingOrder> missingOrders(const SiteCatalog& sites, const RacePair& pair) {
  std::vector<MissingOrder> result;
  for (const WeakOrder& weak : pair.weakOrders) {
    MissingOrder missing;
    missing.store.lacks = weak.storeLacks;
    missing.load.lacks = weak.loadLacks;
    if (resolve(sites, weak.store, missing.store) && resolve(sites, weak.load, missing.load))
      result.push_back(missing);
  }
  std::sort(result.begin(), result.end());
  return result;
}

void addUnseen(const SiteCatalog& sites, const RacePair& pair, Candidate& candidate) {
  const SiteEntry* release = sites.find(pair.unseen.release);
  const SiteEntry* acquire = sites.find(pair.unseen.acquire);
  if (!pair.unseen.isPossible() || !release || !acquire)
    return;
  candidate.unseenRelease = release->identity;
  candidate.unseenAcquire = acquire->identity;
}

} // namespace

std::optional<Candidate> candidateOf(const RunRecord& record, const RacePair& pair) {
  Candidate candidate;
  candidate.kind = TargetKind::Race;
  candidate.origin = "prediction";
  candidate.count = pair.count;
  candidate.unordered = pair.unordered;
  candidate.sides.resize(2);
  candidate.examples.push_back(exampleOf(record, pair));
  if (!record.sites ||
      !resolve(*record.sites, pair.first.site, pair.first.caller, candidate.sides[0]) ||
      !resolve(*record.sites, pair.second.site, pair.second.caller, candidate.sides[1]))
    return std::nullopt;
  candidate.missingOrders = missingOrders(*record.sites, pair);
  addUnseen(*record.sites, pair, candidate);
  return candidate;
}

EventSink Prediction::beginRun() {
  analyses_ = std::make_unique<Analyses>();
  cut_ = false;
  return [this](std::span<const Event> events) {
    cut_ = cut_ || memoryIsShort();
    if (cut_)
      return;
    analyses_->races.add(events);
    analyses_->cycles.add(events);
  };
}

bool Prediction::endRun(const RunRecord& record) {
  sites_ = record.sites;
  bool newRaces = addRaces(record);
  bool newCycles = addCycles(record);
  analyses_.reset();
  returnMemory();
  return newRaces || newCycles;
}

bool Prediction::addRaces(const RunRecord& record) {
  bool isNew = false;
  for (const RacePair& pair : analyses_->races.pairs())
    if (auto candidate = candidateOf(record, pair))
      isNew |= candidates_.add(std::move(*candidate));
  return isNew;
}

bool Prediction::addCycles(const RunRecord& record) {
  bool isNew = false;
  for (const LockCycle& cycle : analyses_->cycles.cycles()) {
    Candidate candidate;
    candidate.kind = TargetKind::LockCycle;
    candidate.origin = "prediction";
    candidate.count = 1;
    candidate.unordered = true;
    bool known = true;
    candidate.examples.push_back(exampleOf(record, cycle));
    for (const LockEdge& edge : cycle.edges)
      known &= resolve(*sites_, edge.site, edge.caller, candidate.sides.emplace_back());
    if (known)
      isNew |= candidates_.add(std::move(candidate));
  }
  return isNew;
}

} // namespace heddle
