#include "describe/site_places.h"

#include "describe/function_name.h"
#include "describe/library_names.h"

#include <algorithm>

namespace heddle {

bool isLockWait(WaitKind kind) {
  return kind == WaitKind::Mutex || kind == WaitKind::RwLockRead || kind == WaitKind::RwLockWrite ||
         kind == WaitKind::SpinLock;
}

Location locationOf(const SiteEntry& site) {
  return {site.file, site.line, site.column, shortFunctionName(site.function)};
}

std::string accessOf(const SiteEntry& site, WaitKind wait) {
  if (isLockWait(wait))
    return "lock";
  if (wait != WaitKind::None)
    return "wait";
  switch (site.kind) {
  case SiteKind::Read:
  case SiteKind::RangeRead:
  case SiteKind::Spin:
    return "read";
  case SiteKind::Write:
  case SiteKind::RangeWrite:
    return "write";
  case SiteKind::AtomicRead:
  case SiteKind::AtomicWrite:
  case SiteKind::AtomicUpdate:
  case SiteKind::Fence:
    return "atomic";
  case SiteKind::Call:
  case SiteKind::Enter:
    return "call";
  }
  return "call";
}

const SiteEntry* userSiteOf(const RunRecord& record, SiteId site, const uint32_t* frames,
                            uint32_t count) {
  const SiteEntry* innermost = record.siteEntry(site);
  if (innermost && innermost->isUserCode())
    return innermost;
  for (uint32_t i = std::min(count, kMaxFrames); i > 0; --i) {
    const SiteEntry* frame = record.siteEntry(static_cast<SiteId>(frames[i - 1]));
    if (frame && frame->isUserCode())
      return frame;
  }
  return innermost && !innermost->linkageName.empty() ? innermost : nullptr;
}

std::optional<FindingSite> siteOfEntry(const RunRecord& record, const SiteEntry* shown,
                                       SiteId innermost, WaitKind wait, unsigned thread) {
  if (!shown)
    return std::nullopt;
  FindingSite site;
  site.location = locationOf(*shown);
  site.linkageName = shown->linkageName;
  site.access = accessOf(*shown, wait);
  site.object = shown->object;
  site.ordinal = shown->ordinal;
  site.thread = thread;
  site.size = shown->size;
  if (const SiteEntry* inner = record.siteEntry(innermost); inner && site.object.empty())
    site.object = publicName(inner->object);
  return site;
}

std::string heldText(const RunRecord& record, const ObjectNames& objects, const HeldLock& held) {
  std::string text = objects.name(held.object) + (held.shared ? " for reading" : "");
  const SiteEntry* site = record.siteEntry(static_cast<SiteId>(held.site));
  if (site && !site->linkageName.empty())
    text += " (taken at " + site->file + ":" + std::to_string(site->line) + ")";
  return text;
}

Stack stackOf(const RunRecord& record, SiteId site, const uint32_t* frames, uint32_t count) {
  Stack stack;
  count = std::min(count, kMaxFrames);
  // The innermost frame may be the call at which the thread stands itself.
  bool standsInLast = count > 0 && frames[count - 1] == raw(site);
  // Of an access it is the last call that its own function has made.
  const SiteEntry* place = record.siteEntry(site);
  if (place && isAccess(place->kind) && count > 0)
    if (const SiteEntry* last = record.siteEntry(static_cast<SiteId>(frames[count - 1])))
      count -= last->linkageName == place->linkageName;
  if (!standsInLast)
    if (const SiteEntry* entry = record.siteEntry(site); entry && !entry->linkageName.empty())
      stack.push_back(locationOf(*entry));
  for (uint32_t i = count; i > 0; --i)
    if (const SiteEntry* entry = record.siteEntry(static_cast<SiteId>(frames[i - 1])))
      stack.push_back(locationOf(*entry));
  return stack;
}

FindingSite siteOfMeeting(const RunRecord& record, const ObjectNames& objects,
                          const MeetingSide& side) {
  auto id = static_cast<SiteId>(side.site);
  const SiteEntry* shown = userSiteOf(record, id, side.frames, side.frameCount);
  FindingSite site =
      siteOfEntry(record, shown, id, WaitKind::None, side.thread).value_or(FindingSite());
  const SiteEntry* entry = record.siteEntry(id);
  // In the id an access that a call makes differs from one that the function makes itself.
  if (entry && entry->linkageName != site.linkageName)
    site.linkageName += " " + entry->linkageName;
  bool atomic = entry && isAtomic(entry->kind);
  site.access = atomic                         ? "atomic"
                : side.kind == EventKind::Free ? "free"
                : isWrite(side.kind)           ? "write"
                                               : "read";
  site.thread = side.thread;
  site.size = side.size;
  std::string owner = objects.owner(side.address);
  std::string name =
      owner.empty() || objects.isNamedByUser(side.address) ? objects.name(side.address) : owner;
  if (!name.empty())
    site.object = name;
  site.stack = stackOf(record, id, side.frames, side.frameCount);
  for (uint32_t i = 0; i < std::min<uint32_t>(side.heldCount, kMaxHeldLocks); ++i)
    site.held.push_back(heldText(record, objects, side.held[i]));
  return site;
}

} // namespace heddle
