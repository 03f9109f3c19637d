#include "runtime/base/persistent.h"
#include "runtime/core/scheduler_state.h"
#include "runtime/memory/shared_memory.h"
#include "runtime/trace/call_frames.h"
#include "runtime/trace/sites.h"

/// Which locks the threads hold: for reports, and later for candidates.
namespace heddle::rt {

static bool holdsLock(const Fiber* fiber, const void* object) {
  object = memoryIdentity(object);
  for (uint32_t i = 0; i < fiber->heldCount; ++i)
    if (fiber->held[i].object == object)
      return true;
  return false;
}

/// The call that takes the lock; with complete stacks the one in the program's own code, for which
/// a guard of a library does it.
static SiteId acquisitionSite(const Fiber* fiber) {
  const BatchHeader* batch = persistent().batch;
  const SiteRecord* site = siteRecord(fiber->callSite);
  if (!batch || !(batch->plan.flags & kPlanStacks) || !site || !(site->flags & kSiteLibrary))
    return fiber->callSite;
  SiteId user = userCaller(fiber);
  return user == SiteId::None ? fiber->callSite : user;
}

void acquired(const void* object, bool shared) {
  object = memoryIdentity(object);
  Fiber* fiber = scheduler.current;
  fiber->futileCount = 0;
  for (uint32_t i = 0; i < fiber->heldCount; ++i)
    if (fiber->held[i].object == object) {
      ++fiber->held[i].count;
      return;
    }
  if (fiber->heldCount < kMaxHeldLocks)
    fiber->held[fiber->heldCount++] = {object, acquisitionSite(fiber), 1, shared, false};
}

void acquiredOnce(const void* object) {
  acquired(object);
  Fiber* fiber = scheduler.current;
  for (uint32_t i = 0; i < fiber->heldCount; ++i)
    fiber->held[i].once |= fiber->held[i].object == memoryIdentity(object);
}

/// Whether the fiber held it.
static bool release(Fiber* fiber, const void* object) {
  object = memoryIdentity(object);
  for (uint32_t i = fiber->heldCount; i-- > 0;) {
    if (fiber->held[i].object != object)
      continue;
    if (--fiber->held[i].count > 0)
      return true;
    for (uint32_t j = i + 1; j < fiber->heldCount; ++j)
      fiber->held[j - 1] = fiber->held[j];
    --fiber->heldCount;
    return true;
  }
  return false;
}

void released(const void* object) {
  if (release(scheduler.current, object))
    return;
  if (Fiber* holder = holderOf(object)) // released by another thread than the one that acquired it
    release(holder, object);
}

bool holds(const void* object) { return holdsLock(scheduler.current, object); }

Fiber* holderOf(const void* object) {
  for (uint32_t i = 0; i < scheduler.threads; ++i)
    if (holdsLock(scheduler.fibers[i], object))
      return scheduler.fibers[i];
  return nullptr;
}

} // namespace heddle::rt
