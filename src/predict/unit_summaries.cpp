#include "predict/unit_summaries.h"

#include "model/candidate.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace heddle {
namespace {

/// Locations of one access: a copy of a large struct touches many.
constexpr ptrdiff_t kMaxLocations = 32;
/// Units of one signature that are looked at: the first ones, and the latest of the others.
constexpr size_t kMaxAlike = 6;
/// The same for units that differ only in the memory on which they do it: elements of containers
/// come and go, and each has its place.
constexpr size_t kMaxOfAShape = 64;

/// Groups accesses by unit and keeps few of those units that do the same.
class Summaries {
public:
  Summaries(const UnitTrace& trace, const Locations& locations, bool all, StopPoll& mustStop)
      : trace_(trace), locations_(locations), all_(all), mustStop_(mustStop) {
    std::vector<std::vector<Touch>> touches = touchesByUnit();
    for (uint32_t unit = 0; unit < touches.size() && !mustStop_(touches[unit].size()); ++unit)
      if (!touches[unit].empty())
        keep(summaryOf(unit, std::move(touches[unit])));
  }

  std::vector<UnitSummary> take() {
    std::vector<UnitSummary> result = takeAll(kept_);
    if (all_)
      return result;
    std::map<uint64_t, Alike> shapes;
    for (UnitSummary& summary : result) {
      uint64_t shape = signatureOf(summary, /*places=*/false);
      shapes[shape].keep(std::move(summary), kMaxOfAShape);
    }
    return takeAll(shapes);
  }

private:
  struct Alike {
    std::vector<UnitSummary> summaries;
    size_t count = 0;

    void keep(UnitSummary summary, size_t most) {
      size_t number = count++;
      if (number < most)
        summaries.push_back(std::move(summary));
      else
        summaries[most / 2 + number % (most - most / 2)] = std::move(summary);
    }
  };

  static std::vector<UnitSummary> takeAll(std::map<uint64_t, Alike>& kept) {
    std::vector<UnitSummary> result;
    for (auto& [signature, alike] : kept)
      for (UnitSummary& summary : alike.summaries)
        result.push_back(std::move(summary));
    std::sort(result.begin(), result.end(),
              [](const UnitSummary& a, const UnitSummary& b) { return a.unit < b.unit; });
    return result;
  }

  std::vector<std::vector<Touch>> touchesByUnit() {
    std::vector<std::vector<Touch>> touches(trace_.units.size());
    for (uint32_t i = 0; i < trace_.accesses.size() && !mustStop_(); ++i) {
      const UnitAccess& access = trace_.accesses[i];
      for (uint32_t location : locations_.of(access))
        if (locations_.isShared(location))
          touches[access.unit].push_back({i, location, access.read, access.write});
    }
    return touches;
  }

  UnitSummary summaryOf(uint32_t unit, std::vector<Touch> touches) const {
    UnitSummary summary;
    summary.unit = unit;
    summary.touches = std::move(touches);
    reduce(summary);
    return summary;
  }

  /// Of accesses from one place to one location the first and the last one are enough.
  void reduce(UnitSummary& summary) const {
    if (!all_)
      keepEnds(summary);
    for (const Touch& touch : summary.touches) {
      if (touch.read)
        summary.reads[touch.location].push_back(touch.access);
      if (touch.write)
        summary.writes[touch.location].push_back(touch.access);
    }
  }

  void keepEnds(UnitSummary& summary) const {
    std::map<std::tuple<SiteId, uint64_t, uint32_t>, std::pair<size_t, size_t>> ends;
    for (size_t i = 0; i < summary.touches.size(); ++i) {
      const Touch& touch = summary.touches[i];
      const UnitAccess& access = trace_.accesses[touch.access];
      auto [place, isNew] =
          ends.try_emplace({access.site, access.context, touch.location}, std::pair(i, i));
      place->second.second = i;
    }
    std::set<size_t> wanted;
    for (const auto& [key, pair] : ends)
      wanted.insert({pair.first, pair.second});
    std::vector<Touch> few;
    for (size_t i : wanted)
      few.push_back(summary.touches[i]);
    summary.touches = std::move(few);
  }

  /// What the unit does, without when: equal ones lead to the same patterns. Without `places` also
  /// without where: locations are numbered as the unit comes to them.
  uint64_t signatureOf(const UnitSummary& summary, bool places) const {
    const WorkUnit& unit = trace_.units[summary.unit];
    uint64_t hash = mix(unit.thread, unit.function);
    std::map<uint64_t, uint64_t> instances;
    std::map<uint32_t, uint64_t> numbers;
    for (const Touch& touch : summary.touches) {
      const UnitAccess& access = trace_.accesses[touch.access];
      hash = mix(mix(hash, raw(access.site)), access.context);
      uint64_t place =
          places ? touch.location : numbers.emplace(touch.location, numbers.size()).first->second;
      hash = mix(hash, place << 2 | (touch.read ? 2u : 0u) | (touch.write ? 1u : 0u));
      for (const HeldInstance& held : trace_.lockStates[access.locks]) {
        uint64_t number = instances.emplace(held.instance, instances.size()).first->second;
        hash = mix(mix(hash, held.lock), number << 1 | (held.shared ? 1u : 0u));
      }
    }
    return hash;
  }

  void keep(UnitSummary summary) {
    uint64_t signature = all_ ? summary.unit : signatureOf(summary, /*places=*/true);
    kept_[signature].keep(std::move(summary), kMaxAlike);
  }

  const UnitTrace& trace_;
  const Locations& locations_;
  bool all_;
  StopPoll& mustStop_;
  std::map<uint64_t, Alike> kept_;
};

} // namespace

Locations::Locations(const std::vector<UnitAccess>& accesses, StopPoll& mustStop) {
  for (const UnitAccess& access : accesses) {
    bounds_.push_back(access.address);
    bounds_.push_back(access.address + access.size);
  }
  std::sort(bounds_.begin(), bounds_.end());
  bounds_.erase(std::unique(bounds_.begin(), bounds_.end()), bounds_.end());
  threads_.assign(bounds_.size(), kNobody);
  flags_.assign(bounds_.size(), 0);
  for (const UnitAccess& access : accesses) {
    if (mustStop())
      return;
    for (uint32_t location : of(access))
      note(location, access);
  }
}

std::ranges::iota_view<uint32_t, uint32_t> Locations::of(const UnitAccess& access) const {
  auto begin = std::lower_bound(bounds_.begin(), bounds_.end(), access.address);
  auto end = begin;
  while (end != bounds_.end() && *end < access.address + access.size && end - begin < kMaxLocations)
    ++end;
  return {static_cast<uint32_t>(begin - bounds_.begin()),
          static_cast<uint32_t>(end - bounds_.begin())};
}

void Locations::note(uint32_t location, const UnitAccess& access) {
  if (threads_[location] == kNobody)
    threads_[location] = access.thread;
  if (threads_[location] != access.thread)
    flags_[location] |= kSeveral;
  if (access.write)
    flags_[location] |= kWritten;
}

std::vector<UnitSummary> summarize(const UnitTrace& trace, const Locations& locations, bool all,
                                   StopPoll& mustStop) {
  return Summaries(trace, locations, all, mustStop).take();
}

} // namespace heddle
