#include "model/candidate.h"

#include <algorithm>
#include <tuple>

namespace heddle {

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
      target.roles[target.roleCount++] = {side.site, side.caller};
  }
  return target;
}

bool CandidateSet::add(Candidate candidate) {
  std::sort(candidate.sides.begin(), candidate.sides.end());
  auto [place, isNew] = candidates_.try_emplace({candidate.kind, candidate.sides}, candidate);
  if (isNew)
    return true;
  place->second.count += candidate.count;
  place->second.unordered |= candidate.unordered;
  return false;
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
