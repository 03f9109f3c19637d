#include "runtime/trace/closed_module.h"

#include "runtime/base/arena.h"
#include "runtime/core/scheduler_state.h"
#include "runtime/trace/call_frames.h"

#include <dlfcn.h>
#include <string.h>

namespace heddle::rt {

namespace {

template <typename T> T* copied(const T* from, uint64_t count) {
  auto* memory = static_cast<T*>(runAllocate(count * sizeof(T)));
  memcpy(memory, from, count * sizeof(T));
  return memory;
}

bool isSlotOf(const ModuleDescriptor& module, const uint32_t* callSite) {
  const auto* slot = reinterpret_cast<const SiteSlot*>(callSite);
  return slot >= module.slots && slot < module.slots + module.siteCount;
}

bool hasCallSites(const ModuleDescriptor& module, const Fiber& fiber) {
  for (const uint32_t** frame = fiber.shadowBase; frame < shadowTopOf(&fiber); ++frame)
    if (isSlotOf(module, *frame))
      return true;
  return false;
}

void moveCallSites(const ModuleDescriptor& module, const Fiber& fiber, const SiteSlot* slots) {
  for (const uint32_t** frame = fiber.shadowBase; frame < shadowTopOf(&fiber); ++frame)
    if (isSlotOf(module, *frame)) {
      const auto* slot = reinterpret_cast<const SiteSlot*>(*frame);
      *frame = &slots[slot - module.slots].id;
    }
}

} // namespace

const ModuleDescriptor* keepClosedModule(const ModuleDescriptor& module) {
  ModuleDescriptor* kept = copied(&module, 1);
  kept->sites = copied(module.sites, module.siteCount);
  kept->functions = copied(module.functions, module.functionCount);
  kept->callees = copied(module.callees, module.calleeCount);
  kept->strings = copied(module.strings, module.stringBytes);
  kept->modes = nullptr;
  kept->slots = nullptr;
  kept->functionModes = nullptr;
  kept->source = nullptr;
  kept->next = nullptr;
  const char* path = modulePath(module);
  kept->reserved = reinterpret_cast<uint64_t>(copied(path, strlen(path) + 1));
  return kept;
}

void notePath(ModuleDescriptor& module) {
  Dl_info info{};
  const char* path = dladdr(&module, &info) ? info.dli_fname : nullptr;
  module.reserved = reinterpret_cast<uint64_t>(path);
}

const char* modulePath(const ModuleDescriptor& module) {
  return module.reserved ? reinterpret_cast<const char*>(module.reserved) : "";
}

void keepCallSites(const ModuleDescriptor& module) {
  const SiteSlot* slots = nullptr;
  for (uint32_t i = 0; i < scheduler.threads; ++i) {
    const Fiber* fiber = scheduler.fibers[i];
    if (!fiber || !fiber->shadowBase || !hasCallSites(module, *fiber))
      continue;
    if (!slots)
      slots = copied(module.slots, module.siteCount);
    moveCallSites(module, *fiber, slots);
  }
}

} // namespace heddle::rt
