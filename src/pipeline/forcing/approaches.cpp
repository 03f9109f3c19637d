#include "pipeline/forcing/approaches.h"

#include <algorithm>

namespace heddle {
namespace {

/// What is expected of a way that was not tried, and how many runs that expectation counts as.
constexpr double kExpected = 0.75;
constexpr double kExpectedRuns = 2;

uint32_t roleOf(const Target& target, const CandidateSide& side, uint32_t index) {
  if (target.kind == TargetKind::Race)
    return index;
  if (target.kind == TargetKind::AtomicSet)
    return target.roleCount - 2 + index; // the entries of its units stand behind its accesses
  for (uint32_t r = 0; r < target.roleCount; ++r)
    if (target.roles[r].site == side.site && target.roles[r].caller == side.caller)
      return r;
  return 0;
}

bool knowsTimes(const CandidateExample& example) {
  return std::all_of(example.sides.begin(), example.sides.end(),
                     [](const RoleExample& side) { return side.occurrence != 0; });
}

} // namespace

Approaches::Approaches(const Candidate& candidate) {
  auto addAll = [&](const CandidateExample& example, uint32_t leader) {
    if (knowsTimes(example))
      add(candidate, example, Holding::Moment, leader);
    add(candidate, example, Holding::Object, leader);
  };
  for (const CandidateExample& example : candidate.examples)
    addAll(example, example.leader);
  add(Holding::Everybody);
  if (candidate.kind == TargetKind::Race) {
    for (const CandidateExample& example : candidate.examples)
      addAll(example, 1 - example.leader);
    add(Holding::Behind);
  }
  add(Holding::Some);
}

void Approaches::add(Holding holding) {
  Approach approach{};
  approach.holding = holding;
  ways_.push_back({approach});
}

void Approaches::add(const Candidate& candidate, const CandidateExample& example, Holding holding,
                     uint32_t leader) {
  if (example.sides.size() > kMaxRoles)
    return;
  Approach approach{};
  approach.holding = holding;
  approach.leader = leader;
  Target target = targetOf(candidate);
  for (uint32_t i = 0; i < example.sides.size(); ++i) {
    RoleExample& side = approach.examples[approach.exampleCount++];
    side = example.sides[i];
    side.role = roleOf(target, candidate.sides[i], i);
  }
  ways_.push_back({approach});
}

size_t Approaches::next() const {
  auto score = [](const Way& way) {
    return (double(way.met) + kExpected * kExpectedRuns) / (double(way.runs) + kExpectedRuns);
  };
  auto best = std::max_element(ways_.begin(), ways_.end(),
                               [&](const Way& a, const Way& b) { return score(a) < score(b); });
  return static_cast<size_t>(best - ways_.begin());
}

size_t Approaches::leastTried() const {
  auto least = std::min_element(ways_.begin(), ways_.end(),
                                [](const Way& a, const Way& b) { return a.runs < b.runs; });
  return static_cast<size_t>(least - ways_.begin());
}

void Approaches::note(size_t way, uint64_t runs, uint64_t met) {
  ways_[way].runs += runs;
  ways_[way].met += met;
}

} // namespace heddle
