#include "runtime/base/caller_state.h"
#include "runtime/core/scheduler_state.h"
#include "runtime/memory/access_check.h"
#include "runtime/memory/shared_memory.h"
#include "runtime/trace/hook_state.h"
#include "runtime/trace/learn.h"
#include "runtime/trace/run_record.h"
#include "runtime/trace/site_modes.h"
#include "runtime/trace/thinning.h"

/// The functions that instrumented code calls. Everything here runs between two instructions of
/// the program and must leave no trace but the one that the plan asks for.
namespace heddle::rt {

uint8_t* siteModes = nullptr;
SiteKind* siteKinds = nullptr;
uint32_t* siteSizes = nullptr;

namespace {

/// A site that is said to be local: whether it is, as long as that may be asked.
void localAccess(const void* address, uint64_t size, const SiteSlot& slot) {
  if (slot.watch != kWatchLocal)
    return;
  bool write = isWrite(siteKinds[slot.id]);
  auto site = static_cast<SiteId>(slot.id);
  if (learnLocalAccess(scheduler.current, address, size, write, site) >= localExecutions())
    switchOff(slot);
}

/// What others ask for has to be seen each time.
void learn(const void* address, uint64_t size, uint8_t mode, const SiteSlot& slot) {
  bool write = isWrite(siteKinds[slot.id]);
  if ((mode & ~(kModeLearn | kModeRecord)) == 0)
    learnSampled(scheduler.current, address, size, write, slot);
  else
    learnAccess(scheduler.current, address, size, write, static_cast<SiteId>(slot.id));
}

/// Which of the thread's executions of the site this is.
Occurrence countExecution(const SiteSlot& slot) {
  Fiber* fiber = scheduler.current;
  return isThinned(slot) ? countThinned(fiber, thinnedNumber(slot), isAtomic(siteKinds[slot.id]))
                         : countOccurrence(fiber->index(), static_cast<SiteId>(slot.id));
}

/// Whether it may have left something on the stack that differs from one time to the next.
__attribute__((noinline)) bool access(const void* address, uint64_t size,
                                      const uint32_t* siteOfHook) {
  const auto& slot = *reinterpret_cast<const SiteSlot*>(siteOfHook);
  uint32_t id = slot.id;
  if (!scheduler.controlled || id == 0)
    return false;
  if (slot.watch != kWatchNothing) {
    localAccess(address, size, slot);
    return true;
  }
  auto site = static_cast<SiteId>(id);
  uint8_t mode = siteModes[id];
  SiteKind kind = siteKinds[id];
  EventKind event = eventOf(kind);
  const void* place = memoryIdentity(address);
  bool leftOut = isThinned(slot) && !isAtPoint(scheduler.current, thinnedNumber(slot));
  if (leftOut) { // it comes here to be recorded
    recordAccess(scheduler.current, event, place, size, site);
    return true;
  }
  // The point comes first: others may run before the access, which is checked, learned and
  // recorded as it happens.
  if (mode & kModePoint)
    accessPoint(event, place, size, site, countExecution(slot));
  else if (isThinned(slot))
    countExecution(slot);
  if ((mode & kModeCheck) && address)
    checkAccess(address, size, isWrite(kind), site);
  if ((mode & kModeLearn) && address)
    learn(place, size, mode, slot);
  if ((mode & (kModeRecord | kModePoint)) == kModeRecord)
    recordAccess(scheduler.current, event, place, size, site);
  return mode != kModeCheck;
}

} // namespace

} // namespace heddle::rt

using namespace heddle::rt;

extern "C" {

const uint32_t** __heddle_frame = nullptr;

/// The hooks of site_table.h begin in record_hook.S, which jumps here.
#define HEDDLE_HOOK_BODY __attribute__((preserve_most, visibility("hidden")))

HEDDLE_HOOK_BODY void heddleAccessSlowly(const void* address, const uint32_t* site) {
  if (access(address, siteSizes ? siteSizes[*site] : 0, site))
    scrubStack();
}

HEDDLE_HOOK_BODY void heddleAtomic(const void* address, const uint32_t* site, uint32_t orders,
                                   uint64_t expected) {
  if (Fiber* fiber = scheduler.current) {
    fiber->atomicOrders = orders;
    fiber->atomicExpected = expected;
  }
  if (access(address, siteSizes ? siteSizes[*site] : 0, site))
    scrubStack();
}

HEDDLE_HOOK_BODY void heddleRange(const void* address, uint64_t length, const uint32_t* site) {
  if (length != 0 && access(address, length, site))
    scrubStack();
}

HEDDLE_HOOK void __heddle_call(const uint32_t* site) {
  if (Fiber* fiber = scheduler.current)
    fiber->callSite = static_cast<heddle::SiteId>(*site);
}

HEDDLE_HOOK_BODY void heddleSpin(const uint32_t* site) {
  if (!scheduler.controlled || *site == 0)
    return;
  scheduler.current->callSite = static_cast<heddle::SiteId>(*site);
  yieldNow(heddle::EventKind::Spin, nullptr);
}
}
