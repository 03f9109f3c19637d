#include "runtime/sync/lock_point.h"

#include "runtime/core/scheduler_state.h"
#include "runtime/memory/shared_memory.h"
#include "runtime/memory/sync_lifetime.h"
#include "runtime/trace/run_record.h"
#include "runtime/trace/thinning.h"

namespace heddle::rt {

void lockPoint(EventKind kind, const void* object) {
  Fiber* fiber = scheduler.current;
  SiteId site = fiber->callSite;
  uint32_t number = thinNumberOf(site);
  if (number == kNotThinned)
    return point(kind, object);
  if (--fiber->skips[number] < 0)
    return point(kind, object, countThinned(fiber, number, /*sync=*/true));
  const void* place = memoryIdentity(object);
  fiber->view.pending = {kind, site, reinterpret_cast<uintptr_t>(place)};
  scheduler.idleYields = 0;
  recordAccess(fiber, kind, place, 0, site);
  // Whether its block of the heap was freed is looked up at points alone, as for accesses.
  if (scheduler.checkHeap)
    checkSyncLifetime(object, kind, site);
}

} // namespace heddle::rt
