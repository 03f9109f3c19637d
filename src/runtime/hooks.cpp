#include "heap.h"
#include "hook_state.h"
#include "learn.h"
#include "run_record.h"
#include "scheduler_state.h"
#include "sites.h"

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

void access(const void* address, uint64_t size, const uint32_t* siteOfHook) {
  const auto& slot = *reinterpret_cast<const SiteSlot*>(siteOfHook);
  uint32_t id = slot.id;
  if (!scheduler.controlled || id == 0)
    return;
  if (slot.watch != kWatchNothing)
    return localAccess(address, size, slot);
  auto site = static_cast<SiteId>(id);
  uint8_t mode = siteModes[id];
  SiteKind kind = siteKinds[id];
  EventKind event = eventOf(kind);
  // The point comes first: others may run before the access, which is checked, learned and
  // recorded as it happens.
  if (mode & kModePoint)
    accessPoint(event, address, size, site);
  if ((mode & kModeCheck) && address)
    checkAccess(address, size, isWrite(kind), site);
  if ((mode & kModeLearn) && address)
    learnAccess(scheduler.current, address, size, isWrite(kind), site);
  if ((mode & (kModeRecord | kModePoint)) == kModeRecord)
    recordAccess(scheduler.current, event, address, size, site);
}

} // namespace

} // namespace heddle::rt

using namespace heddle::rt;

extern "C" {

const uint32_t** __heddle_frame = nullptr;

/// What __heddle_access (record_hook.S) does not do itself; it jumps here.
__attribute__((preserve_most, visibility("hidden"))) void heddleAccessSlowly(const void* address,
                                                                             const uint32_t* site) {
  access(address, siteSizes ? siteSizes[*site] : 0, site);
}

HEDDLE_HOOK void __heddle_atomic(const void* address, const uint32_t* site, uint32_t orders,
                                 uint64_t expected) {
  if (Fiber* fiber = scheduler.current) {
    fiber->atomicOrders = orders;
    fiber->atomicExpected = expected;
  }
  access(address, siteSizes ? siteSizes[*site] : 0, site);
}

HEDDLE_HOOK void __heddle_range(const void* address, uint64_t length, const uint32_t* site) {
  if (length != 0)
    access(address, length, site);
}

HEDDLE_HOOK void __heddle_call(const uint32_t* site) {
  if (Fiber* fiber = scheduler.current)
    fiber->callSite = static_cast<heddle::SiteId>(*site);
}

HEDDLE_HOOK void __heddle_spin(const uint32_t* site) {
  if (!scheduler.controlled || *site == 0)
    return;
  scheduler.current->callSite = static_cast<heddle::SiteId>(*site);
  yieldNow(heddle::EventKind::Spin, nullptr);
}
}
