#include "runtime/core/scheduler_state.h"
#include "runtime/targets/target_watch.h"
#include "runtime/trace/run_record.h"
#include "runtime/trace/sites.h"
#include "runtime/trace/unseen_code.h"

/// The hooks of calls that may lead to code without hooks.

using namespace heddle;
using namespace heddle::rt;

HEDDLE_HOOK void __heddle_passing(const uint32_t* site, const void* callee) {
  if (!scheduler.controlled || *site == 0 || (callee && !isUnseenAddress(callee)))
    return;
  orderRecent(scheduler.current, EventKind::UnseenCall);
  recordUnseenCall(scheduler.current, static_cast<SiteId>(*site));
}

/// The caller's stack pointer tells whether a later hook of the thread is below the call.
HEDDLE_HOOK void __heddle_unseen(const uint32_t* site, const void* callee) {
  if (!scheduler.controlled || *site == 0 || (callee && !isUnseenAddress(callee)))
    return;
  __heddle_passing(site, nullptr);
  Fiber* fiber = scheduler.current;
  auto frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  const SiteRecord* record = siteRecord(static_cast<SiteId>(*site));
  bool mayCallBack = !record || !(record->flags & kSiteAssembly);
  if (mayCallBack && frame > fiber->unseenFrame)
    fiber->unseenFrame = frame;
}

HEDDLE_HOOK void __heddle_seen(const uint32_t*) {
  if (!scheduler.controlled)
    return;
  auto frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  if (frame >= scheduler.current->unseenFrame)
    scheduler.current->unseenFrame = 0;
}
