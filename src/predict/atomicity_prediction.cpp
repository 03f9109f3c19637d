#include "predict/atomicity_prediction.h"

#include "model/candidate.h"
#include "model/member_layout.h"
#include "predict/possible_orders.h"
#include "predict/unit_summaries.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace heddle {
namespace {

/// Different places for what is the same pattern to a user.
constexpr size_t kMaxVariants = 2;
/// Comparisons of accesses after which the search ends.
constexpr uint64_t kMaxWork = 200'000'000;
/// Of the executions of one function by another thread a unit is compared with so many, those that
/// are nearest to it: the others show the same.
constexpr size_t kMaxPartners = 16;
/// Events that are read before somebody is asked whether there is memory for more.
constexpr size_t kEventsAtOnce = 65'536;
/// In the pieces of StopPoll: one in a unit inside of others, with many objects, takes long.
constexpr uint64_t kWorkOfAnEvent = 16;

/// Looks for patterns in pairs of units.
class Search {
public:
  /// `observed`: only what came in this order in the trace.
  Search(const UnitTrace& trace, const Locations& locations, const SiteCatalog& sites,
         bool observed, StopPoll& mustStop)
      : trace_(trace), locations_(locations), sites_(sites), observed_(observed),
        mustStop_(mustStop), orders_(trace) {}

  void run(const std::vector<UnitSummary>& units) {
    UsersOf byLocation;
    for (uint32_t i = 0; i < units.size() && !isOver(units[i].touches.size()); ++i)
      for (uint32_t location : touchedBy(units[i]))
        byLocation[location].push_back(i);
    // One unit after the other: all pairs at once would be as many as the square of the units.
    for (uint32_t a = 0; a < units.size() && !isOver(); ++a)
      for (const auto& [b, common] : partnersOf(a, units, byLocation))
        compare(units[a], units[b], common);
    if (!observed_)
      compareWithThemselves(units, byLocation);
  }

  /// Whether it ended before it had looked at everything.
  bool isCut() const { return cut_; }

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
  using UsersOf = std::map<uint32_t, std::vector<uint32_t>>;  ///< units by location
  using Partners = std::map<uint32_t, std::vector<uint32_t>>; ///< locations by unit

  static std::set<uint32_t> touchedBy(const UnitSummary& unit) {
    std::set<uint32_t> touched;
    for (const Touch& touch : unit.touches)
      touched.insert(touch.location);
    return touched;
  }

  /// Units of other threads that touch what this one touches.
  Partners partnersOf(uint32_t unit, const std::vector<UnitSummary>& units,
                      const UsersOf& byLocation) {
    Partners partners;
    for (uint32_t location : touchedBy(units[unit])) {
      const std::vector<uint32_t>& users = byLocation.at(location);
      if (isOver(users.size()))
        return {};
      for (uint32_t other : users)
        if (threadOf(units[other]) != threadOf(units[unit]))
          partners[other].push_back(location);
    }
    if (!observed_)
      keepNearest(unit, units, partners);
    return partners;
  }

  void keepNearest(uint32_t unit, const std::vector<UnitSummary>& units, Partners& partners) const {
    std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>> alike;
    for (const auto& [other, common] : partners)
      alike[{threadOf(units[other]), trace_.units[units[other].unit].function}].push_back(other);
    auto distance = [&](uint32_t other) { return other > unit ? other - unit : unit - other; };
    for (auto& [who, others] : alike) {
      if (others.size() <= kMaxPartners)
        continue;
      std::sort(others.begin(), others.end(), [&](uint32_t a, uint32_t b) {
        return std::pair(distance(a), a) < std::pair(distance(b), b);
      });
      for (size_t i = kMaxPartners; i < others.size(); ++i)
        partners.erase(others[i]);
    }
  }

  /// Whether to end, after so much work.
  bool isOver(uint64_t work = 1) {
    work_ += work;
    cut_ = cut_ || work_ >= kMaxWork || mustStop_(work);
    return cut_;
  }

  uint32_t threadOf(const UnitSummary& summary) const { return trace_.units[summary.unit].thread; }
  const UnitAccess& at(uint32_t access) const { return trace_.accesses[access]; }

  static const std::vector<uint32_t>& accesses(const UnitSummary& unit, uint32_t location,
                                               bool write) {
    static const std::vector<uint32_t> none;
    const auto& all = write ? unit.writes : unit.reads;
    auto found = all.find(location);
    return found == all.end() ? none : found->second;
  }

  /// The object of the unit in which the locations lie; null: they are of no common set.
  const UnitObject* objectOf(const UnitSummary& unit, uint32_t m1, uint32_t m2) const {
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

  const UnitAccess* anyAccess(const UnitSummary& unit, uint32_t location) const {
    for (bool write : {false, true})
      if (const auto& all = accesses(unit, location, write); !all.empty())
        return &at(all.front());
    return nullptr;
  }

  /// The object of the unit to which the location belongs, in it or owned by it.
  size_t ownerOf(const UnitSummary& unit, uint32_t location) const {
    const UnitAccess* access = anyAccess(unit, location);
    return access ? access->object : trace_.units[unit.unit].objects.size();
  }

  bool isOwned(const UnitObject& object, uint32_t location) const {
    return !object.global &&
           !object.contains(locations_.address(location), locations_.end(location));
  }

  std::string setName(const UnitObject& object) const {
    const SiteEntry* entry = sites_.find(object.described);
    return entry ? entry->object : "";
  }

  struct MemberName {
    std::string text;
    bool isConstant = false;
  };
  MemberName memberName(const UnitSummary& unit, uint32_t location) const {
    for (const UnitObject& object : trace_.units[unit.unit].objects) {
      if (!object.contains(locations_.address(location), locations_.end(location)))
        continue;
      uint64_t offset = locations_.address(location) - object.address;
      const SiteEntry* entry = sites_.find(object.described);
      for (const Member& member : parseMembers(entry ? entry->callee : ""))
        if (offset >= member.offset && offset < member.offset + member.size)
          return {member.name, member.isConstant};
      return {"byte " + std::to_string(offset), false};
    }
    return {ownedName(unit, location), false};
  }

  /// Of memory that an object owns the access knows the member, if it is one of the program's.
  std::string ownedName(const UnitSummary& unit, uint32_t location) const {
    const UnitAccess* access = anyAccess(unit, location);
    const SiteEntry* site = access ? sites_.find(access->site) : nullptr;
    bool known = site && (site->flags & kSiteLibrary) == 0 && !site->object.empty() &&
                 !site->object.starts_with("std::");
    size_t scope = known ? site->object.rfind("::") : std::string::npos;
    return scope == std::string::npos ? kElement : site->object.substr(scope + 2);
  }

  /// e_i e_k e_l e_j, where e_k may be e_l.
  bool canEnclose(const UnitAccess& i, const UnitAccess& j, const UnitAccess& k,
                  const UnitAccess& l) const {
    return observed_ ? i.position < k.position && l.position < j.position
                     : orders_.canEnclose(i, j, k, l);
  }
  /// e_i e_k e_j e_l.
  bool canInterleave(const UnitAccess& i, const UnitAccess& j, const UnitAccess& k,
                     const UnitAccess& l) const {
    return observed_ ? i.position < k.position && k.position < j.position && j.position < l.position
                     : orders_.canInterleave(i, j, k, l);
  }

  /// Another thread that has executed the same function on the same object could have done the same
  /// there: who comes second to what is filled once has found it filled, and did less.
  void compareWithThemselves(const std::vector<UnitSummary>& units, const UsersOf& byLocation) {
    for (const UnitSummary& unit : units) {
      if (isOver())
        return;
      std::set<uint32_t> touched = touchedBy(unit);
      for (uint32_t location : touched) {
        const auto& users = byLocation.at(location);
        auto twin = std::find_if(users.begin(), users.end(),
                                 [&](uint32_t other) { return isTwin(unit, units[other]); });
        if (twin == users.end())
          continue;
        twin_ = &units[*twin];
        orders_.setStandIn(anyAccess(*twin_, location));
        twinObject_ = objectOf(*twin_, location, location);
        compare(unit, unit, {touched.begin(), touched.end()});
        twin_ = nullptr;
        orders_.setStandIn(nullptr);
        break;
      }
    }
  }

  bool isTwin(const UnitSummary& unit, const UnitSummary& other) const {
    return threadOf(unit) != threadOf(other) &&
           trace_.units[unit.unit].function == trace_.units[other.unit].function;
  }

  void compare(const UnitSummary& u, const UnitSummary& other,
               const std::vector<uint32_t>& common) {
    for (uint32_t m : common) {
      if (isOver())
        return;
      for (uint32_t pattern = 1; pattern <= 5; ++pattern)
        matchOne(u, other, m, pattern);
      for (uint32_t m2 : common) {
        if (isOver())
          return;
        if (m != m2 && objectOf(u, m, m2) && objectOf(other, m, m2))
          for (uint32_t pattern = 6; pattern <= kPatternCount; ++pattern)
            matchTwo(u, other, m, m2, pattern);
      }
    }
  }

  void matchOne(const UnitSummary& u, const UnitSummary& other, uint32_t m, uint32_t number) {
    AccessPattern pattern = accessPattern(number, PatternForm::InOrder);
    for (uint32_t i : accesses(u, m, pattern.steps[0].write))
      for (uint32_t j : accesses(u, m, pattern.steps[2].write))
        for (uint32_t k : accesses(other, m, pattern.steps[1].write))
          if (isOver() || (j > i && canEnclose(at(i), at(j), at(k), at(k)) &&
                           keep(u, other, m, m, number, PatternForm::InOrder, {i, k, j})))
            return;
  }

  void matchTwo(const UnitSummary& u, const UnitSummary& other, uint32_t m1, uint32_t m2,
                uint32_t number) {
    AccessPattern pattern = accessPattern(number, PatternForm::InOrder);
    bool interleaved = isInterleaved(number);
    bool second = pattern.steps[interleaved ? 2 : 3].write;
    for (uint32_t i : accesses(u, m1, pattern.steps[0].write))
      for (uint32_t j : accesses(u, m2, second)) {
        if (isOver())
          return;
        if (j <= i)
          continue;
        bool done = interleaved ? alternate(u, other, m1, m2, number, i, j)
                                : surround(u, other, m1, m2, number, i, j);
        if (done)
          return;
      }
  }

  bool alternate(const UnitSummary& u, const UnitSummary& other, uint32_t m1, uint32_t m2,
                 uint32_t number, uint32_t i, uint32_t j) {
    bool write = accessPattern(number, PatternForm::InOrder).steps[1].write;
    for (uint32_t k : accesses(other, m2, write))
      for (uint32_t l : accesses(other, m1, write))
        if (isOver() || (l > k && canInterleave(at(i), at(j), at(k), at(l)) &&
                         keep(u, other, m1, m2, number, PatternForm::InOrder, {i, k, j, l})))
          return true;
    return false;
  }

  bool surround(const UnitSummary& u, const UnitSummary& other, uint32_t m1, uint32_t m2,
                uint32_t number, uint32_t i, uint32_t j) {
    bool write = accessPattern(number, PatternForm::InOrder).steps[1].write;
    for (uint32_t one : accesses(other, m1, write))
      for (uint32_t two : accesses(other, m2, write)) {
        uint32_t k = std::min(one, two);
        uint32_t l = std::max(one, two);
        if (isOver())
          return true;
        if (!canEnclose(at(i), at(j), at(k), at(l)))
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
  bool keep(const UnitSummary& u, const UnitSummary& other, uint32_t m1, uint32_t m2,
            uint32_t number, PatternForm form, const std::vector<uint32_t>& steps) {
    MemberName names[2] = {memberName(u, m1), memberName(u, m2)};
    if (names[0].isConstant || names[1].isConstant)
      return true;
    for (uint32_t step : steps)
      if (orders_.isFreedBetween(at(steps[0]), at(step)))
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
    if (variants.size() == kMaxVariants) {
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

  PatternUnit exampleOf(const UnitSummary& unit, const UnitObject& object) const {
    return {object.entry, threadOf(unit), object.isAdopted() ? 0 : object.address,
            object.occurrence};
  }

  void noteLocks(PredictedPattern& pattern, const std::vector<uint32_t>& steps) const {
    const UnitAccess& i = at(steps[0]);
    const UnitAccess& k = at(steps[1]);
    if (isInterleaved(pattern.number)) {
      pattern.windowLocks[0] = orders_.neededLocks(i, k, k);
      pattern.windowLocks[1] = orders_.neededLocks(k, at(steps[2]), at(steps[2]));
      return;
    }
    pattern.windowLocks[0] = orders_.neededLocks(i, k, at(steps[steps.size() - 2]));
  }

  const UnitTrace& trace_;
  const Locations& locations_;
  const SiteCatalog& sites_;
  bool observed_;
  StopPoll& mustStop_;
  PossibleOrders orders_;
  const UnitSummary* twin_ = nullptr; ///< whose thread plays u' instead of the unit's own
  const UnitObject* twinObject_ = nullptr;
  std::map<Key, std::vector<PredictedPattern>> found_;
  uint64_t work_ = 0;
  bool cut_ = false;
};

} // namespace

void AtomicityPrediction::add(std::span<const Event> events) {
  full_ = full_ || (!events.empty() && isShort_ && isShort_());
  size_t room = full_ ? 0 : kMaxEvents - events_.size();
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
  StopPoll mustStop(mustStop_);
  UnitTrace trace = read(sites, mustStop);
  units_ = trace.units.size();
  Locations locations(trace.accesses, mustStop);
  Search search(trace, locations, sites, observed, mustStop);
  search.run(summarize(trace, locations, /*all=*/observed, mustStop));
  cut_ |= search.isCut();
  return search.take();
}

UnitTrace AtomicityPrediction::read(const SiteCatalog& sites, StopPoll& mustStop) {
  UnitAccesses reader(sites, declared_);
  size_t sinceMemory = 0;
  for (const Event& event : events_) {
    if (mustStop(kWorkOfAnEvent) || (++sinceMemory == kEventsAtOnce && isShort_ && isShort_())) {
      cut_ = true;
      break;
    }
    sinceMemory %= kEventsAtOnce;
    reader.add(event);
  }
  return reader.take();
}

} // namespace heddle
