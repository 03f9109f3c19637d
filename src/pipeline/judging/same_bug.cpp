#include "pipeline/judging/same_bug.h"

#include <algorithm>

namespace heddle {
namespace {

bool isSeenRace(const Finding& finding) {
  return finding.kind == FindingKind::DataRace && finding.origin == FindingOrigin::Run &&
         finding.status >= FindingStatus::Confirmed;
}

bool changes(const FindingSite& site) {
  return site.access != "read" && site.access != "atomic read";
}

bool isSameLine(const FindingSite& one, const FindingSite& other) {
  return one.location.line != 0 && one.location.line == other.location.line &&
         one.location.file == other.location.file;
}

bool isSameObject(const FindingSite& one, const FindingSite& other) {
  return !one.object.empty() && one.object == other.object;
}

template <typename Alike> bool anyPair(const Finding& one, const Finding& other, Alike alike) {
  return std::ranges::any_of(one.sites, [&](const FindingSite& own) {
    return std::ranges::any_of(other.sites,
                               [&](const FindingSite& its) { return alike(own, its); });
  });
}

bool failDifferently(const Finding& one, const Finding& other) {
  if (!one.failure || !other.failure)
    return false;
  const FailureInfo& own = *one.failure;
  const FailureInfo& its = *other.failure;
  bool placed = own.site && its.site; // else the message says which it is
  return own.kind != its.kind ||
         (placed ? !isSameLine(*own.site, *its.site) : own.message != its.message);
}

bool shareWrite(const Finding& one, const Finding& other) {
  return isSeenRace(one) && isSeenRace(other) && !failDifferently(one, other) &&
         anyPair(one, other, [](const FindingSite& own, const FindingSite& its) {
           return changes(own) && changes(its) && isSameLine(own, its) && isSameObject(own, its);
         });
}

bool namesAllLines(const Finding& failure, const Finding& race) {
  return std::ranges::all_of(race.sites, [&](const FindingSite& site) {
    return std::ranges::any_of(failure.sites,
                               [&](const FindingSite& its) { return isSameLine(site, its); });
  });
}

bool leadsTo(const Finding& race, const Finding& failure) {
  if (!isSeenRace(race) || race.failure || !failure.failure)
    return false;
  return namesAllLines(failure, race) ||
         anyPair(race, failure, [](const FindingSite& own, const FindingSite& its) {
           return isSameLine(own, its) && isSameObject(own, its);
         });
}

/// What stands for a bug: harm before none, then what was found first.
bool standsBefore(const Finding& one, const Finding& other) {
  if (one.failure.has_value() != other.failure.has_value())
    return one.failure.has_value();
  return one.status > other.status;
}

} // namespace

bool isFreedInRace(const Finding& failure, const Finding& race) {
  bool frees = std::ranges::any_of(race.sites,
                                   [](const FindingSite& site) { return site.access == "free"; });
  return failure.kind == FindingKind::MemoryError && frees && namesAllLines(failure, race);
}

std::vector<size_t> representatives(const std::vector<Finding>& findings) {
  std::vector<size_t> standing(findings.size());
  for (size_t i = 0; i < findings.size(); ++i)
    standing[i] = i;
  auto rootOf = [&](size_t place) {
    while (standing[place] != place)
      place = standing[place];
    return place;
  };
  for (size_t i = 0; i < findings.size(); ++i)
    for (size_t j = i + 1; j < findings.size(); ++j) {
      const Finding& one = findings[i];
      const Finding& other = findings[j];
      bool isOne = one.test == other.test &&
                   (shareWrite(one, other) || leadsTo(one, other) || leadsTo(other, one));
      size_t first = rootOf(i);
      size_t second = rootOf(j);
      // Through a third one two failures could become one, which they are not.
      if (!isOne || first == second || failDifferently(findings[first], findings[second]))
        continue;
      if (standsBefore(findings[second], findings[first]))
        std::swap(first, second);
      standing[second] = first;
    }
  for (size_t i = 0; i < findings.size(); ++i)
    standing[i] = rootOf(i);
  return standing;
}

} // namespace heddle
