#pragma once

#include "runtime/memory/heap.h"
#include "runtime/memory/sync_lifetime.h"

/// Whether the memory that an operation is about to touch is there.
namespace heddle::rt {

/// Fails the run when the access touches a freed block, lies beyond the end of an allocated one, or
/// in a frame of another thread that has returned. Other memory is always fine.
inline void checkAccess(const void* address, size_t size, bool isWrite = false,
                        SiteId site = SiteId::None) {
  if (inHeap(address))
    checkHeapAccess(address, size, isWrite, site);
  else if (inStacks(address))
    checkForeignStack(address, isWrite ? "write" : "read", site);
}

/// Fails the run when a sync object lies in memory that is not allocated, or was destroyed. Who
/// wakes a futex, or was woken, names an address only: a latch may be gone when the last one to
/// arrive does that.
inline void checkObject(const void* object, EventKind kind, SiteId site) {
  if (kind == EventKind::FutexWake || kind == EventKind::FutexLeave)
    return;
  if (inHeap(object))
    checkHeapObject(object, kind, site);
  else if (inStacks(object))
    checkForeignStack(object, eventKindText(kind), site);
  checkSyncLifetime(object, kind, site);
}

} // namespace heddle::rt
