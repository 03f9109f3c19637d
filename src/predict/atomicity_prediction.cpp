#include "predict/atomicity_prediction.h"

#include "model/candidate.h"
#include "model/member_layout.h"
#include "predict/unit_accesses.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

namespace heddle {
namespace {

/// Locations of one access: a copy of a large struct touches many.
constexpr uint32_t kMostLocations = 32;
/// Units of one signature that are looked at: the first ones, and the latest of the others.
constexpr size_t kMostAlike = 6;
/// Different places for what is the same pattern to a user.
constexpr size_t kMostVariants = 2;
/// Comparisons of accesses after which the search ends.
constexpr uint64_t kMostWork = 200'000'000;

/// An access to one location, by a unit.
struct Touch {
  uint32_t access;   ///< index in UnitTrace::accesses
  uint32_t location; ///< number of the elementary interval
  bool read;
  bool write;
};

/// A unit of work as the search sees it.
struct Summary {
  uint32_t unit = 0;
  std::vector<Touch> touches;                              ///< in order
  std::map<uint32_t, std::vector<uint32_t>> reads, writes; ///< accesses by location
};

/// Divides the memory that units access where an access begins or ends.
class Locations {
public:
  explicit Locations(const std::vector<UnitAccess>& accesses) {
    for (const UnitAccess& access : accesses) {
      bounds_.push_back(access.address);
      bounds_.push_back(access.address + access.size);
    }
    std::sort(bounds_.begin(), bounds_.end());
    bounds_.erase(std::unique(bounds_.begin(), bounds_.end()), bounds_.end());
    threads_.assign(bounds_.size(), kNobody);
    flags_.assign(bounds_.size(), 0);
    for (const UnitAccess& access : accesses)
      for (uint32_t location : of(access))
        note(location, access);
  }

  std::vector<uint32_t> of(const UnitAccess& access) const {
    std::vector<uint32_t> result;
    auto first = std::lower_bound(bounds_.begin(), bounds_.end(), access.address);
    for (; first != bounds_.end() && *first < access.address + access.size &&
           result.size() < kMostLocations;
         ++first)
      result.push_back(static_cast<uint32_t>(first - bounds_.begin()));
    return result;
  }
  /// Whether several threads access it and one of them writes.
  bool isShared(uint32_t location) const { return flags_[location] == (kSeveral | kWritten); }
  uint64_t address(uint32_t location) const { return bounds_[location]; }
  uint64_t end(uint32_t location) const { return bounds_[location + 1]; }

private:
  static constexpr uint32_t kNobody = UINT32_MAX;
  static constexpr uint8_t kSeveral = 1;
  static constexpr uint8_t kWritten = 2;

  void note(uint32_t location, const UnitAccess& access) {
    if (threads_[location] == kNobody)
      threads_[location] = access.thread;
    if (threads_[location] != access.thread)
      flags_[location] |= kSeveral;
    if (access.write)
      flags_[location] |= kWritten;
  }

  std::vector<uint64_t> bounds_;
  std::vector<uint32_t> threads_;
  std::vector<uint8_t> flags_;
};

/// Groups accesses by unit and keeps few of those units that do the same.
class Summaries {
public:
  /// `all`: each unit with all of its accesses.
  Summaries(const UnitTrace& trace, const Locations& locations, bool all)
      : trace_(trace), locations_(locations), all_(all) {
    for (Summary& summary : collect())
      keep(std::move(summary));
  }

  std::vector<Summary> take() {
    std::vector<Summary> result;
    for (auto& [signature, alike] : kept_)
      for (Summary& summary : alike.summaries)
        result.push_back(std::move(summary));
    std::sort(result.begin(), result.end(),
              [](const Summary& a, const Summary& b) { return a.unit < b.unit; });
    return result;
  }

private:
  struct Alike {
    std::vector<Summary> summaries;
    size_t count = 0;
  };

  std::vector<Summary> collect() {
    std::map<uint32_t, Summary> byUnit;
    for (uint32_t i = 0; i < trace_.accesses.size(); ++i) {
      const UnitAccess& access = trace_.accesses[i];
      for (uint32_t location : locations_.of(access)) {
        if (!locations_.isShared(location))
          continue;
        Summary& summary = byUnit[access.unit];
        summary.unit = access.unit;
        summary.touches.push_back({i, location, access.read, access.write});
      }
    }
    std::vector<Summary> result;
    for (auto& [unit, summary] : byUnit) {
      reduce(summary);
      result.push_back(std::move(summary));
    }
    return result;
  }

  /// Of accesses from one place to one location the first and the last one are enough.
  void reduce(Summary& summary) const {
    if (!all_)
      keepEnds(summary);
    for (const Touch& touch : summary.touches) {
      if (touch.read)
        summary.reads[touch.location].push_back(touch.access);
      if (touch.write)
        summary.writes[touch.location].push_back(touch.access);
    }
  }

  void keepEnds(Summary& summary) const {
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

  /// What the unit does, without when: equal ones lead to the same patterns.
  uint64_t signatureOf(const Summary& summary) const {
    const WorkUnit& unit = trace_.units[summary.unit];
    uint64_t hash = mix(unit.thread, unit.function);
    std::map<uint64_t, uint64_t> instances;
    for (const Touch& touch : summary.touches) {
      const UnitAccess& access = trace_.accesses[touch.access];
      hash = mix(mix(hash, raw(access.site)), access.context);
      hash = mix(hash,
                 uint64_t{touch.location} << 2 | (touch.read ? 2u : 0u) | (touch.write ? 1u : 0u));
      for (const HeldInstance& held : trace_.lockStates[access.locks]) {
        uint64_t number = instances.emplace(held.instance, instances.size()).first->second;
        hash = mix(mix(hash, held.lock), number << 1 | (held.shared ? 1u : 0u));
      }
    }
    return hash;
  }

  void keep(Summary summary) {
    Alike& alike = kept_[all_ ? summary.unit : signatureOf(summary)];
    size_t number = alike.count++;
    if (number < kMostAlike)
      alike.summaries.push_back(std::move(summary));
    else
      alike.summaries[kMostAlike / 2 + number % (kMostAlike - kMostAlike / 2)] = std::move(summary);
  }

  const UnitTrace& trace_;
  const Locations& locations_;
  bool all_;
  std::map<uint64_t, Alike> kept_;
};

/// Looks for patterns in pairs of units.
class Search {
public:
  /// `observed`: only what came in this order in the trace.
  Search(const UnitTrace& trace, const Locations& locations, const SiteCatalog& sites,
         bool observed)
      : trace_(trace), locations_(locations), sites_(sites), observed_(observed) {}

  void run(const std::vector<Summary>& units) {
    std::map<uint32_t, std::vector<uint32_t>> byLocation;
    for (uint32_t i = 0; i < units.size(); ++i) {
      std::set<uint32_t> touched;
      for (const Touch& touch : units[i].touches)
        touched.insert(touch.location);
      for (uint32_t location : touched)
        byLocation[location].push_back(i);
    }
    std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>> pairs;
    for (const auto& [location, users] : byLocation)
      for (uint32_t a : users)
        for (uint32_t b : users)
          if (a != b && threadOf(units[a]) != threadOf(units[b]))
            pairs[{a, b}].push_back(location);
    for (const auto& [pair, common] : pairs)
      compare(units[pair.first], units[pair.second], common);
    if (!observed_)
      compareWithThemselves(units, byLocation);
  }

  std::vector<PredictedPattern> take() {
    std::vector<PredictedPattern> result;
    for (auto& [key, variants] : found_)
      for (PredictedPattern& pattern : variants)
        result.push_back(std::move(pattern));
    std::sort(result.begin(), result.end(), [](const auto& a, const auto& b) {
      auto rank = [](const PredictedPattern& p) {
        return std::tuple(~p.count, p.number, p.form, p.steps[0].site, p.steps[1].site,
                          p.steps.back().site, p.units[0].entry, p.units[1].entry, p.members[0]);
      };
      return rank(a) < rank(b);
    });
    return result;
  }

private:
  using Key = std::tuple<uint32_t, uint32_t, uint32_t, std::string, std::string, std::string>;

  uint32_t threadOf(const Summary& summary) const { return trace_.units[summary.unit].thread; }
  const UnitAccess& at(uint32_t access) const { return trace_.accesses[access]; }

  static const std::vector<uint32_t>& accesses(const Summary& unit, uint32_t location, bool write) {
    static const std::vector<uint32_t> none;
    const auto& all = write ? unit.writes : unit.reads;
    auto found = all.find(location);
    return found == all.end() ? none : found->second;
  }

  /// The object of the unit in which the locations lie; null: they are of no common set.
  const UnitObject* objectOf(const Summary& unit, uint32_t m1, uint32_t m2) const {
    const std::vector<UnitObject>& objects = trace_.units[unit.unit].objects;
    auto contains = [&](const UnitObject& object, uint32_t m) {
      return object.contains(locations_.address(m), locations_.end(m));
    };
    for (const UnitObject& object : objects)
      if (contains(object, m1) && contains(object, m2))
        return &object;
    if (size_t owner = ownerOf(unit, m1); owner < objects.size() && owner == ownerOf(unit, m2))
      return &objects[owner];
    for (const UnitObject& one : objects)
      for (const UnitObject& other : objects)
        if (one.global && other.global && contains(one, m1) && contains(other, m2) &&
            setName(one) == setName(other))
          return &one;
    return nullptr;
  }

  const UnitAccess* anyAccess(const Summary& unit, uint32_t location) const {
    for (bool write : {false, true})
      if (const auto& all = accesses(unit, location, write); !all.empty())
        return &at(all.front());
    return nullptr;
  }

  /// The object of the unit to which the location belongs, in it or owned by it.
  size_t ownerOf(const Summary& unit, uint32_t location) const {
    const UnitAccess* access = anyAccess(unit, location);
    return access ? access->object : trace_.units[unit.unit].objects.size();
  }

  bool isOwned(const UnitObject& object, uint32_t location) const {
    return !object.global &&
           !object.contains(locations_.address(location), locations_.end(location));
  }

  std::string setName(const UnitObject& object) const {
    const SiteEntry* entry = sites_.find(object.entry);
    return entry ? entry->object : "";
  }

  struct MemberName {
    std::string text;
    bool isConstant = false;
  };
  MemberName memberName(const Summary& unit, uint32_t location) const {
    for (const UnitObject& object : trace_.units[unit.unit].objects) {
      if (!object.contains(locations_.address(location), locations_.end(location)))
        continue;
      uint64_t offset = locations_.address(location) - object.address;
      const SiteEntry* entry = sites_.find(object.entry);
      for (const Member& member : parseMembers(entry ? entry->callee : ""))
        if (offset >= member.offset && offset < member.offset + member.size)
          return {member.name, member.isConstant};
      return {"byte " + std::to_string(offset), false};
    }
    return {ownedName(unit, location), false};
  }

  /// Of memory that an object owns the access knows the member, if it is one of the program's.
  std::string ownedName(const Summary& unit, uint32_t location) const {
    const UnitAccess* access = anyAccess(unit, location);
    const SiteEntry* site = access ? sites_.find(access->site) : nullptr;
    bool known = site && (site->flags & kSiteLibrary) == 0 && !site->object.empty() &&
                 !site->object.starts_with("std::");
    size_t scope = known ? site->object.rfind("::") : std::string::npos;
    return scope == std::string::npos ? kElement : site->object.substr(scope + 2);
  }

  bool mustPrecede(const UnitAccess& one, const UnitAccess& other) const {
    uint32_t time = trace_.clocks[one.clock].at(one.thread);
    return time <= trace_.clocks[other.clock].at(one.thread);
  }

  const std::vector<HeldInstance>& locks(const UnitAccess& access) const {
    return trace_.lockStates[access.locks];
  }

  static bool isHeld(const std::vector<HeldInstance>& held, const HeldInstance& lock) {
    return std::any_of(held.begin(), held.end(), [&](const HeldInstance& other) {
      return other.excludes(lock.lock, lock.shared);
    });
  }

  /// Whether the thread acquires the lock behind the first position and up to the second one.
  bool acquires(uint32_t thread, uint64_t after, uint64_t until, const HeldInstance& lock) const {
    const auto& all = trace_.acquisitions[thread];
    auto first = std::upper_bound(all.begin(), all.end(), after,
                                  [](uint64_t p, const auto& a) { return p < a.position; });
    for (; first != all.end() && first->position <= until; ++first)
      if (lock.excludes(first->lock, first->shared))
        return true;
    return false;
  }

  /// Whether a lock that a unit holds from `begin` to `end` without a break keeps `inside` out.
  bool isExcluded(const UnitAccess& begin, const UnitAccess& end, const UnitAccess& inside) const {
    const auto& held = locks(end);
    return std::any_of(locks(begin).begin(), locks(begin).end(), [&](const HeldInstance& lock) {
      bool unbroken = std::any_of(held.begin(), held.end(), [&](const HeldInstance& other) {
        return other.instance == lock.instance;
      });
      return unbroken && isHeld(locks(inside), lock);
    });
  }

  /// The same for a way from `first` to `last`: it must not acquire such a lock.
  bool isBarred(const UnitAccess& begin, const UnitAccess& end, const UnitAccess& first,
                const UnitAccess& last) const {
    const auto& held = locks(end);
    return std::any_of(locks(begin).begin(), locks(begin).end(), [&](const HeldInstance& lock) {
      bool unbroken = std::any_of(held.begin(), held.end(), [&](const HeldInstance& other) {
        return other.instance == lock.instance;
      });
      return unbroken && acquires(first.thread, first.position, last.position, lock);
    });
  }

  bool freedBetween(const UnitAccess& one, const UnitAccess& other) const {
    auto [first, last] = std::minmax(one.position, other.position);
    uint64_t reach = std::min(one.address, trace_.largestFreed);
    auto block = trace_.freed.lower_bound(one.address - reach);
    for (; block != trace_.freed.end() && block->first < one.address + one.size; ++block) {
      const auto& times = block->second;
      auto time =
          std::upper_bound(times.begin(), times.end(), first,
                           [](uint64_t p, const auto& freed) { return p < freed.position; });
      for (; time != times.end() && time->position < last; ++time)
        if (one.address < time->end)
          return true;
    }
    return false;
  }

  /// What orders an access of u': that of the thread that would make it.
  const UnitAccess& ofOther(const UnitAccess& access) const {
    return twin_ ? *twinAccess_ : access;
  }

  /// e_i e_k e_l e_j, where e_k may be e_l.
  bool canEnclose(const UnitAccess& i, const UnitAccess& j, const UnitAccess& k,
                  const UnitAccess& l) const {
    if (observed_)
      return i.position < k.position && l.position < j.position;
    return !mustPrecede(ofOther(k), i) && !mustPrecede(j, ofOther(l)) && !isExcluded(i, j, k) &&
           !isExcluded(i, j, l) && !isBarred(i, j, k, l);
  }
  /// e_i e_k e_j e_l.
  bool canInterleave(const UnitAccess& i, const UnitAccess& j, const UnitAccess& k,
                     const UnitAccess& l) const {
    if (observed_)
      return i.position < k.position && k.position < j.position && j.position < l.position;
    return !mustPrecede(ofOther(k), i) && !mustPrecede(j, ofOther(k)) &&
           !mustPrecede(ofOther(l), j) && !isExcluded(i, j, k) && !isExcluded(k, l, j);
  }

  /// Locks (bits) of `held`, which u has at an access, that the other unit needs on its way from
  /// its entry to `last`.
  uint32_t neededLocks(const UnitAccess& held, const UnitAccess& first,
                       const UnitAccess& last) const {
    uint32_t mask = 0;
    const auto& own = locks(held);
    for (uint32_t bit = 0; bit < own.size() && bit < 32; ++bit) {
      uint64_t begin = trace_.units[first.unit].begin;
      if (isHeld(locks(first), own[bit]) || isHeld(locks(last), own[bit]) ||
          acquires(first.thread, begin, last.position, own[bit]))
        mask |= 1u << bit;
    }
    return mask;
  }

  /// Another thread that has executed the same function on the same object could have done the same
  /// there: who comes second to what is filled once has found it filled, and did less.
  void compareWithThemselves(const std::vector<Summary>& units,
                             const std::map<uint32_t, std::vector<uint32_t>>& byLocation) {
    for (const Summary& unit : units) {
      std::set<uint32_t> touched;
      for (const Touch& touch : unit.touches)
        touched.insert(touch.location);
      for (uint32_t location : touched) {
        const auto& users = byLocation.at(location);
        auto twin = std::find_if(users.begin(), users.end(),
                                 [&](uint32_t other) { return isTwin(unit, units[other]); });
        if (twin == users.end())
          continue;
        twin_ = &units[*twin];
        twinAccess_ = anyAccess(*twin_, location);
        twinObject_ = objectOf(*twin_, location, location);
        compare(unit, unit, {touched.begin(), touched.end()});
        twin_ = nullptr;
        break;
      }
    }
  }

  bool isTwin(const Summary& unit, const Summary& other) const {
    return threadOf(unit) != threadOf(other) &&
           trace_.units[unit.unit].function == trace_.units[other.unit].function;
  }

  void compare(const Summary& u, const Summary& other, const std::vector<uint32_t>& common) {
    for (uint32_t m : common) {
      for (uint32_t pattern = 1; pattern <= 5; ++pattern)
        matchOne(u, other, m, pattern);
      for (uint32_t m2 : common)
        if (m != m2 && objectOf(u, m, m2) && objectOf(other, m, m2))
          for (uint32_t pattern = 6; pattern <= kPatternCount; ++pattern)
            matchTwo(u, other, m, m2, pattern);
    }
  }

  bool spend() { return ++work_ < kMostWork; }

  void matchOne(const Summary& u, const Summary& other, uint32_t m, uint32_t number) {
    AccessPattern pattern = accessPattern(number, PatternForm::InOrder);
    for (uint32_t i : accesses(u, m, pattern.steps[0].write))
      for (uint32_t j : accesses(u, m, pattern.steps[2].write))
        for (uint32_t k : accesses(other, m, pattern.steps[1].write))
          if (j > i && spend() && canEnclose(at(i), at(j), at(k), at(k)))
            if (keep(u, other, m, m, number, PatternForm::InOrder, {i, k, j}))
              return;
  }

  void matchTwo(const Summary& u, const Summary& other, uint32_t m1, uint32_t m2, uint32_t number) {
    AccessPattern pattern = accessPattern(number, PatternForm::InOrder);
    bool interleaved = isInterleaved(number);
    bool second = pattern.steps[interleaved ? 2 : 3].write;
    for (uint32_t i : accesses(u, m1, pattern.steps[0].write))
      for (uint32_t j : accesses(u, m2, second)) {
        if (j <= i)
          continue;
        bool done = interleaved ? alternate(u, other, m1, m2, number, i, j)
                                : surround(u, other, m1, m2, number, i, j);
        if (done)
          return;
      }
  }

  bool alternate(const Summary& u, const Summary& other, uint32_t m1, uint32_t m2, uint32_t number,
                 uint32_t i, uint32_t j) {
    bool write = accessPattern(number, PatternForm::InOrder).steps[1].write;
    for (uint32_t k : accesses(other, m2, write))
      for (uint32_t l : accesses(other, m1, write))
        if (l > k && spend() && canInterleave(at(i), at(j), at(k), at(l)) &&
            keep(u, other, m1, m2, number, PatternForm::InOrder, {i, k, j, l}))
          return true;
    return false;
  }

  bool surround(const Summary& u, const Summary& other, uint32_t m1, uint32_t m2, uint32_t number,
                uint32_t i, uint32_t j) {
    bool write = accessPattern(number, PatternForm::InOrder).steps[1].write;
    for (uint32_t one : accesses(other, m1, write))
      for (uint32_t two : accesses(other, m2, write)) {
        uint32_t k = std::min(one, two);
        uint32_t l = std::max(one, two);
        if (!spend() || !canEnclose(at(i), at(j), at(k), at(l)))
          continue;
        PatternForm form = one == two  ? PatternForm::Together
                           : one < two ? PatternForm::InOrder
                                       : PatternForm::Swapped;
        auto steps = one == two ? std::vector{i, k, j} : std::vector{i, k, l, j};
        if (keep(u, other, m1, m2, number, form, steps))
          return true;
      }
    return false;
  }

  /// True when no more of this kind is wanted.
  bool keep(const Summary& u, const Summary& other, uint32_t m1, uint32_t m2, uint32_t number,
            PatternForm form, const std::vector<uint32_t>& steps) {
    MemberName names[2] = {memberName(u, m1), memberName(u, m2)};
    if (names[0].isConstant || names[1].isConstant)
      return true;
    for (uint32_t step : steps)
      if (freedBetween(at(steps[0]), at(step)))
        return false;
    const UnitObject& object = *objectOf(u, m1, m2);
    const UnitObject& otherObject = *objectOf(other, m1, m2);
    auto& variants =
        found_[{number, trace_.units[u.unit].function, trace_.units[other.unit].function,
                setName(object), names[0].text, names[1].text}];
    for (PredictedPattern& known : variants)
      if (isSame(known, form, steps)) {
        known.count += !twin_;
        return true;
      }
    if (variants.size() == kMostVariants) {
      variants[0].count += !twin_;
      return true;
    }
    PredictedPattern& pattern = variants.emplace_back();
    pattern.number = number;
    pattern.form = form;
    for (uint32_t step : steps)
      pattern.steps.push_back({at(step).site, at(step).context});
    pattern.units[0] = exampleOf(u, object);
    pattern.units[1] =
        twin_ && twinObject_ ? exampleOf(*twin_, *twinObject_) : exampleOf(other, otherObject);
    noteLocks(pattern, steps);
    pattern.set = setName(object);
    pattern.globals = object.global;
    pattern.owned = isOwned(object, m1) || isOwned(object, m2) || isOwned(otherObject, m1) ||
                    isOwned(otherObject, m2);
    pattern.members[0] = names[0].text;
    pattern.members[1] = names[1].text;
    pattern.count = twin_ ? 0 : 1;
    return false;
  }

  bool isSame(const PredictedPattern& known, PatternForm form,
              const std::vector<uint32_t>& steps) const {
    return known.form == form && std::equal(known.steps.begin(), known.steps.end(), steps.begin(),
                                            steps.end(), [&](const PatternAccess& a, uint32_t b) {
                                              return a.site == at(b).site &&
                                                     a.context == at(b).context;
                                            });
  }

  PatternUnit exampleOf(const Summary& unit, const UnitObject& object) const {
    return {object.entry, threadOf(unit), object.address, object.occurrence};
  }

  void noteLocks(PredictedPattern& pattern, const std::vector<uint32_t>& steps) const {
    const UnitAccess& i = at(steps[0]);
    const UnitAccess& k = at(steps[1]);
    if (isInterleaved(pattern.number)) {
      pattern.windowLocks[0] = neededLocks(i, k, k);
      pattern.windowLocks[1] = neededLocks(k, at(steps[2]), at(steps[2]));
      return;
    }
    pattern.windowLocks[0] = neededLocks(i, k, at(steps[steps.size() - 2]));
  }

  const UnitTrace& trace_;
  const Locations& locations_;
  const SiteCatalog& sites_;
  bool observed_;
  const Summary* twin_ = nullptr; ///< whose thread plays u' instead of the unit's own
  const UnitAccess* twinAccess_ = nullptr;
  const UnitObject* twinObject_ = nullptr;
  std::map<Key, std::vector<PredictedPattern>> found_;
  uint64_t work_ = 0;
};

} // namespace

void AtomicityPrediction::add(std::span<const Event> events) {
  size_t room = kMostEvents - events_.size();
  cut_ |= events.size() > room;
  events_.insert(events_.end(), events.begin(),
                 events.begin() + static_cast<ptrdiff_t>(std::min(room, events.size())));
}

std::vector<PredictedPattern> AtomicityPrediction::patterns(const SiteCatalog& sites) {
  return search(sites, Order::Possible);
}

std::vector<PredictedPattern> AtomicityPrediction::observed(const SiteCatalog& sites) {
  return search(sites, Order::Observed);
}

std::vector<PredictedPattern> AtomicityPrediction::search(const SiteCatalog& sites, Order order) {
  bool observed = order == Order::Observed;
  UnitAccesses reader(sites, declared_);
  reader.add(events_);
  UnitTrace trace = reader.take();
  units_ = trace.units.size();
  Locations locations(trace.accesses);
  std::vector<Summary> units = Summaries(trace, locations, /*all=*/observed).take();
  Search search(trace, locations, sites, observed);
  search.run(units);
  return search.take();
}

} // namespace heddle
