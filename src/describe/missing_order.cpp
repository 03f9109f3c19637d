#include "describe/missing_order.h"

#include "describe/library_names.h"
#include "describe/site_places.h"

namespace heddle {
namespace {

/// The weakest order that promises what `order` does, and more.
MemoryOrder withMore(const AtomicSide& side, bool release, bool acquire) {
  release |= side.update && releases(side.order);
  acquire |= side.update && acquires(side.order);
  if (release && acquire)
    return MemoryOrder::AcquireRelease;
  return release ? MemoryOrder::Release : MemoryOrder::Acquire;
}

AtomicAccess describe(const AtomicSide& side, const char* access, bool release, bool acquire,
                      const SiteCatalog& sites) {
  AtomicAccess result;
  const SiteEntry* caller = sites.find(side.place.caller);
  if (const SiteEntry* shown = caller ? caller : sites.find(side.place.site))
    result.location = locationOf(*shown);
  result.access = side.update ? "update" : access;
  result.order = memoryOrderName(side.order);
  if (release || acquire)
    result.needs = memoryOrderName(withMore(side, release, acquire));
  return result;
}

/// The caller knows the object by its name, the library's code by a member of its own.
std::string objectOf(const CandidateSide& place, const SiteCatalog& sites) {
  const SiteEntry* caller = sites.find(place.caller);
  if (caller && !caller->object.empty())
    return caller->object;
  const SiteEntry* entry = sites.find(place.site);
  return entry ? publicName(entry->object) : "";
}

std::string placeText(const Location& location) {
  return location.file.empty() ? ""
                               : " (" + location.file + ":" + std::to_string(location.line) + ")";
}

std::string doneText(const AtomicAccess& access) {
  const char* verb = access.access == "store"  ? "stored"
                     : access.access == "load" ? "loaded"
                                               : "updated";
  return verb + (" with " + access.order) + placeText(access.location);
}

bool samePlace(const Location& one, const Location& other) {
  return one.file == other.file && one.line == other.line && one.column == other.column;
}

/// "the store", or which one it is where both sides have the same name.
std::string nameOf(const AtomicAccess& access, const AtomicAccess& other) {
  if (access.access != other.access || access.location.file.empty())
    return "the " + access.access;
  return "the " + access.access + " at " + access.location.file + ":" +
         std::to_string(access.location.line);
}

} // namespace

std::optional<MissingOrderInfo> missingOrderOf(const Candidate& candidate,
                                               const SiteCatalog& sites) {
  const MissingOrder* missing = candidate.missingOrder();
  if (!missing)
    return std::nullopt;
  const auto& [store, load] = *missing;
  // An operation that is both sides needs what both of them need.
  bool both = store.place == load.place;
  MissingOrderInfo info;
  info.object = objectOf(store.place, sites);
  if (info.object.empty())
    info.object = objectOf(load.place, sites);
  info.store = describe(store, "store", store.lacks, both && load.lacks, sites);
  info.load = describe(load, "load", both && store.lacks, load.lacks, sites);
  return info;
}

std::string missingOrderText(const MissingOrderInfo& missing) {
  const AtomicAccess& store = missing.store;
  const AtomicAccess& load = missing.load;
  std::string text = "ordered only by " +
                     (missing.object.empty() ? "an atomic object" : missing.object) +
                     ", which is " + doneText(store);
  bool both = store.access == load.access && samePlace(store.location, load.location);
  if (both)
    return text + ": it needs " + store.needs;
  text += " and " + doneText(load) + ": ";
  if (!store.needs.empty())
    text += nameOf(store, load) + " needs " + store.needs;
  if (!load.needs.empty())
    text += (store.needs.empty() ? "" : " and ") + nameOf(load, store) + " needs " + load.needs;
  return text;
}

} // namespace heddle
