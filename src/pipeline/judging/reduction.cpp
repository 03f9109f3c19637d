#include "pipeline/judging/reduction.h"

#include <algorithm>

namespace heddle {
namespace {

/// In schedules up to this length all pairs are left out, whatever the reach.
constexpr size_t kAllPairs = 16;
/// In schedules up to this length one is left out while another one is redirected.
constexpr size_t kShortSchedule = 8;

uint64_t mixed(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15ull;
  return hash ^ (hash >> 29);
}

uint64_t hashOf(const std::vector<Decision>& decisions) {
  uint64_t hash = decisions.size();
  for (const Decision& decision : decisions) {
    hash = mixed(hash, static_cast<uint64_t>(decision.thread));
    hash = mixed(hash, static_cast<uint64_t>(decision.site));
    hash = mixed(hash, static_cast<uint64_t>(decision.chosen));
    hash = mixed(hash, uint64_t{decision.occurrence} << 8 | static_cast<uint64_t>(decision.kind));
  }
  return hash;
}

std::vector<Decision> without(const std::vector<Decision>& decisions, size_t begin, size_t end) {
  std::vector<Decision> rest(decisions.begin(), decisions.begin() + begin);
  rest.insert(rest.end(), decisions.begin() + end, decisions.end());
  return rest;
}

/// Switches of a run, spread over it.
std::vector<Decision> placesOf(const std::vector<Decision>& decisions, size_t most) {
  std::vector<Decision> switches;
  for (const Decision& decision : decisions)
    if (decision.kind == DecisionKind::Switch)
      switches.push_back(decision);
  std::vector<Decision> places;
  size_t count = std::min(switches.size(), most);
  for (size_t i = 0; i < count; ++i)
    places.push_back(switches[i * switches.size() / count]);
  return places;
}

std::vector<ThreadPath> threadsOf(const std::vector<Decision>& decisions) {
  std::vector<ThreadPath> threads;
  for (const Decision& decision : decisions)
    for (ThreadPath path : {decision.thread, decision.chosen})
      if (path != ThreadPath::None &&
          std::find(threads.begin(), threads.end(), path) == threads.end())
        threads.push_back(path);
  return threads;
}

} // namespace

std::optional<ReducedRun> Reduction::reduce(const std::vector<Decision>& schedule) {
  auto whole = trials_.run(schedule);
  if (!whole)
    return std::nullopt;
  best_ = std::move(*whole);
  tried_.clear();
  if (places_.empty())
    places_ = placesOf(best_.decisions, reach_.places);
  leaveOutParts(best_.decisions.size());
  while (!trials_.spent() && (rearrange() || exchange()))
    leaveOutParts(1);
  return best_;
}

bool Reduction::attempt(const std::vector<Decision>& decisions) {
  if (trials_.spent() || !tried_.insert(hashOf(decisions)).second)
    return false;
  auto run = trials_.run(decisions);
  if (!run || run->cost >= best_.cost)
    return false;
  best_ = std::move(*run);
  return true;
}

void Reduction::leaveOutParts(size_t largest) {
  for (size_t size = largest; size > 1; size = (size + 1) / 2)
    leaveOutPartsOf(size);
  while (leaveOutPartsOf(1))
    ;
}

bool Reduction::leaveOutPartsOf(size_t size) {
  bool any = false;
  // From the end: what comes before a part that is left out stays as it was.
  for (size_t end = best_.decisions.size(); end != 0 && !trials_.spent();) {
    size_t begin = end - std::min(size, end);
    any |= attempt(without(best_.decisions, begin, end));
    end = std::min(begin, best_.decisions.size());
  }
  return any;
}

bool Reduction::rearrange() {
  // Each of them may do what the others could not: all are asked.
  bool any = putOff();
  any |= merge();
  any |= leaveOutPairs();
  return any || redirect() || redirectWithout();
}

bool Reduction::putOff() {
  bool any = false;
  for (size_t i = best_.decisions.size(); i-- > 0;) {
    if (i >= best_.decisions.size() || best_.decisions[i].kind != DecisionKind::Switch)
      continue;
    std::vector<Decision> changed = best_.decisions;
    changed[i].kind = DecisionKind::Defer;
    any |= attempt(changed);
  }
  return any;
}

bool Reduction::merge() {
  bool any = false;
  for (size_t i = 0; i + 1 < best_.decisions.size(); ++i) {
    std::vector<Decision> changed = best_.decisions;
    if (changed[i].kind != DecisionKind::Switch || changed[i + 1].kind != DecisionKind::Switch)
      continue;
    changed[i].chosen = changed[i + 1].chosen;
    any |= attempt(without(changed, i + 1, i + 2));
  }
  return any;
}

bool Reduction::leaveOutPairs() {
  bool any = false;
  size_t distance = best_.decisions.size() <= kAllPairs ? kAllPairs : reach_.pairDistance;
  for (size_t i = 0; i < best_.decisions.size(); ++i)
    for (size_t j = i + 1; j < best_.decisions.size() && j <= i + distance; ++j) {
      std::vector<Decision> rest = without(best_.decisions, j, j + 1);
      any |= attempt(without(rest, i, i + 1));
    }
  return any;
}

bool Reduction::exchange() {
  if (best_.cost.preemptions < 2)
    return false;
  for (size_t i = 0; i < best_.decisions.size(); ++i)
    for (size_t j = i + 1; j < best_.decisions.size() && j <= i + reach_.pairDistance; ++j) {
      std::vector<Decision> rest = without(best_.decisions, j, j + 1);
      rest.erase(rest.begin() + static_cast<ptrdiff_t>(i));
      rest.emplace_back();
      for (const Decision& other : places_) {
        if (trials_.spent())
          return false;
        rest.back() = other;
        if (attempt(rest))
          return true;
      }
    }
  return false;
}

bool Reduction::redirect() {
  std::vector<ThreadPath> threads = threadsOf(best_.decisions);
  if (threads.size() > reach_.threads)
    return false;
  bool any = false;
  for (size_t i = 0; i < best_.decisions.size(); ++i)
    for (ThreadPath path : threads)
      for (DecisionKind kind : {DecisionKind::Switch, DecisionKind::Defer}) {
        if (i >= best_.decisions.size() || best_.decisions[i].kind != DecisionKind::Switch)
          continue;
        std::vector<Decision> changed = best_.decisions;
        changed[i].chosen = path;
        changed[i].kind = kind;
        any |= attempt(changed);
      }
  return any;
}

bool Reduction::redirectWithout() {
  size_t count = best_.decisions.size();
  std::vector<ThreadPath> threads = threadsOf(best_.decisions);
  if (count > kShortSchedule || threads.size() > reach_.threads)
    return false;
  for (size_t i = 0; i < count; ++i)
    for (size_t j = 0; j + 1 < count; ++j)
      for (ThreadPath path : threads) {
        std::vector<Decision> rest = without(best_.decisions, i, i + 1);
        if (rest[j].kind != DecisionKind::Switch || rest[j].chosen == path)
          continue;
        rest[j].chosen = path;
        if (attempt(rest))
          return true;
      }
  return false;
}

} // namespace heddle
