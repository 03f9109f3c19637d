#include "model/candidate.h"

#include "model/common_items.h"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <set>
#include <tuple>

namespace heddle {

const MissingOrder* Candidate::missingOrder() const {
  if (unordered || missingOrders.empty())
    return nullptr;
  // Of several ones, a counter may only have been there by chance; who loads looks for something.
  auto flag = std::find_if(missingOrders.begin(), missingOrders.end(),
                           [](const MissingOrder& order) { return !order.load.update; });
  return flag == missingOrders.end() ? missingOrders.data() : &*flag;
}

std::string candidateName(const Candidate& candidate) {
  std::string name;
  for (const CandidateSide& side : candidate.sides) {
    char text[48];
    auto site = static_cast<unsigned long long>(raw(side.site));
    auto caller = static_cast<unsigned long long>(raw(side.caller));
    if (side.caller == SiteIdentity::None)
      snprintf(text, sizeof(text), "%016llx", site);
    else
      snprintf(text, sizeof(text), "%016llx/%016llx", site, caller);
    name += (name.empty() ? "" : " ") + std::string(text);
  }
  return name;
}

Target targetOf(const Candidate& candidate) {
  Target target{};
  target.kind = candidate.kind;
  for (const CandidateSide& side : candidate.sides) {
    // A race of a site with itself has two roles; in a cycle equal parts are one role, which any
    // number of threads can play.
    bool known =
        candidate.kind == TargetKind::LockCycle &&
        std::any_of(target.roles, target.roles + target.roleCount, [&](const TargetRole& role) {
          return role.site == side.site && role.caller == side.caller;
        });
    if (!known && target.roleCount < kMaxRoles)
      target.roles[target.roleCount++] = {side.site, side.caller, side.context};
  }
  target.pattern = candidate.pattern.number;
  target.form = candidate.pattern.form;
  target.windowLocks[0] = candidate.pattern.windowLocks[0];
  target.windowLocks[1] = candidate.pattern.windowLocks[1];
  target.owned = candidate.pattern.owned ? 1 : 0;
  return target;
}

void sortSides(Candidate& candidate) {
  if (candidate.kind == TargetKind::AtomicSet)
    return; // their order is the pattern's
  std::vector<uint32_t> order(candidate.sides.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return std::tie(candidate.sides[a], a) < std::tie(candidate.sides[b], b);
  });
  Candidate before = candidate;
  for (size_t i = 0; i < order.size(); ++i)
    candidate.sides[i] = before.sides[order[i]];
  for (size_t e = 0; e < candidate.examples.size(); ++e)
    for (uint32_t i = 0; i < order.size(); ++i) {
      candidate.examples[e].sides[i] = before.examples[e].sides[order[i]];
      if (order[i] == before.examples[e].leader)
        candidate.examples[e].leader = i;
    }
}

namespace {

bool sameThreads(const CandidateExample& one, const CandidateExample& other) {
  return std::equal(one.sides.begin(), one.sides.end(), other.sides.begin(), other.sides.end(),
                    [](const auto& a, const auto& b) { return a.thread == b.thread; });
}

/// Keeps few examples, of different threads; those of runs that nothing ordered take the place of
/// others.
void addExamples(Candidate& candidate, const Candidate& more) {
  if (more.unordered && !candidate.unordered)
    candidate.examples.clear();
  if (candidate.unordered && !more.unordered)
    return;
  for (const CandidateExample& example : more.examples) {
    bool known = std::any_of(candidate.examples.begin(), candidate.examples.end(),
                             [&](const auto& e) { return sameThreads(e, example); });
    if (!known && candidate.examples.size() < kMaxExamples)
      candidate.examples.push_back(example);
  }
}

} // namespace

bool CandidateSet::add(Candidate candidate) {
  sortSides(candidate);
  auto [place, isNew] = candidates_.try_emplace(keyOf(candidate), candidate);
  if (isNew)
    return true;
  addExamples(place->second, candidate);
  place->second.count += candidate.count;
  place->second.unordered |= candidate.unordered;
  if (!candidate.missingOrders.empty())
    keepCommon(place->second.missingOrders, std::move(candidate.missingOrders));
  if (place->second.unseenRelease == SiteIdentity::None) {
    place->second.unseenRelease = candidate.unseenRelease;
    place->second.unseenAcquire = candidate.unseenAcquire;
  }
  return false;
}

std::vector<SiteIdentity> CandidateSet::sites() const {
  std::set<SiteIdentity> sites;
  for (const auto& [key, candidate] : candidates_)
    for (const CandidateSide& side : candidate.sides)
      if (candidate.count != 0)
        sites.insert(side.site);
  return {sites.begin(), sites.end()};
}

std::vector<Candidate> CandidateSet::ranked() const {
  std::vector<Candidate> result;
  for (const auto& [key, candidate] : candidates_)
    result.push_back(candidate);
  std::sort(result.begin(), result.end(), [](const Candidate& a, const Candidate& b) {
    auto evidence = [](const Candidate& c) { return std::tuple(!c.unordered, ~c.count); };
    return std::pair(evidence(a), std::tie(a.kind, a.sides)) <
           std::pair(evidence(b), std::tie(b.kind, b.sides));
  });
  return result;
}

} // namespace heddle
