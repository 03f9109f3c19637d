#include "runtime/trace/site_modes.h"

#include "model/name_hash.h"
#include "runtime/trace/hook_state.h"
#include "runtime/trace/sites.h"
#include "runtime/trace/thinning.h"
#include "runtime/trace/unseen_code.h"

#include <string.h>

/// Where the executable begins and ends; by the linker.
extern "C" const char __executable_start[] __attribute__((visibility("hidden")));
extern "C" const char _end[] __attribute__((visibility("hidden")));

namespace heddle::rt {

namespace {

const Plan* activePlan = nullptr;
const uint64_t* activeList = nullptr;
Plan planCopy;
bool hooksExpected = false;

bool contains(const uint64_t* sorted, uint64_t count, uint64_t identity) {
  uint64_t low = 0;
  uint64_t high = count;
  while (low < high) {
    uint64_t middle = (low + high) / 2;
    if (sorted[middle] < identity)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && sorted[low] == identity;
}

bool listed(uint64_t identity) { return contains(activeList, planCopy.listedSites, identity); }

bool selected(uint64_t identity) {
  return contains(activeList + planCopy.listedSites, planCopy.selectedSites, identity);
}

bool isLocal(uint64_t identity) {
  return contains(activeList + planCopy.listedSites + planCopy.selectedSites, planCopy.localSites,
                  identity);
}

bool isListedUnseen(const char* function) {
  const uint64_t* names =
      activeList + planCopy.listedSites + planCopy.selectedSites + planCopy.localSites;
  return contains(names, planCopy.unseenNames, nameHash(function));
}

bool leadsToUnseenCode(const SiteRecord& record, const ModuleDescriptor& module) {
  const char* callee = module.strings + record.callee;
  if (*callee == 0) // assembly, or a pointer, which the hook looks at
    return true;
  return isListedUnseen(callee) || isUnseenFunction(callee);
}

/// Whether the plan asks who may have ordered accesses.
bool watchesUnseenCode() {
  return planCopy.target.kind == TargetKind::Race ||
         (planCopy.flags & (kPlanRecord | kPlanRecordListed)) != 0;
}

bool isUnseenCall(uint32_t id, const SiteRecord& record, const ModuleDescriptor& module) {
  if (!activePlan || !(record.flags & kSiteUnseen) || !watchesUnseenCode())
    return false;
  UnseenVerdict& verdict = unseenVerdictOf(static_cast<SiteId>(id));
  if (verdict == UnseenVerdict::NotAsked)
    verdict = leadsToUnseenCode(record, module) ? UnseenVerdict::Yes : UnseenVerdict::No;
  return verdict == UnseenVerdict::Yes;
}

/// The analysis of the executable says nothing of the copies that libraries have of its functions.
bool isInExecutable(const ModuleDescriptor& module) {
  auto* address = reinterpret_cast<const char*>(&module);
  return address >= __executable_start && address < _end;
}

bool isTarget(const SiteRecord& record) {
  const Target& target = planCopy.target;
  if (target.kind == TargetKind::None)
    return false;
  for (uint32_t r = 0; r < target.roleCount; ++r)
    if (raw(target.roles[r].site) == record.identity)
      return true;
  return false;
}

/// A fence makes a release of the next store, whatever that is to.
bool ordersOthers(SiteKind kind) { return isAtomic(kind) || kind == SiteKind::Fence; }

bool isPoint(const SiteRecord& record) {
  switch (planCopy.points) {
  case PointSet::Sync:
    return ordersOthers(record.kind);
  case PointSet::Listed:
    return ordersOthers(record.kind) || listed(record.identity);
  case PointSet::All:
    return true;
  }
  return false;
}

uint8_t wantedMode(uint32_t id, const ModuleDescriptor& module, const SiteRecord& record) {
  uint8_t target = activePlan && isTarget(record) ? kModePoint | kModeTarget : kModeOff;
  uint8_t select = activePlan && selected(record.identity) ? kModeSelected : kModeOff;
  if (record.kind == SiteKind::Call)
    return record.flags & kSiteSync           ? kModePoint | target | select
           : isUnseenCall(id, record, module) ? kModePoint
                                              : kModeOff;
  if (record.kind == SiteKind::Spin)
    return kModePoint;
  if (!activePlan)
    return kModeOff;
  if (record.kind == SiteKind::Enter) {
    bool isListed = listed(record.identity);
    bool point = planCopy.points == PointSet::Listed && isListed;
    // Nearly every function has one that stands for all objects: nobody asks for most of them.
    constexpr uint8_t kUnasked = kSiteCallees | kSiteUndeclared;
    bool wanted = (record.flags & kUnasked) != kUnasked || isListed;
    return target | (wanted && (planCopy.flags & kPlanUnits) ? kModeRecord : kModeOff) |
           (point ? kModePoint : kModeOff);
  }
  uint8_t mode = target;
  if (isPoint(record))
    mode |= kModePoint | select;
  uint32_t flags = planCopy.flags;
  // No recording finds a fence shared, but the memory's order depends on it.
  bool wanted = mode || record.kind == SiteKind::Fence || listed(record.identity);
  if ((flags & kPlanRecord) || ((flags & kPlanRecordListed) && wanted))
    mode |= kModeRecord;
  if (flags & kPlanLearn)
    mode |= kModeLearn;
  bool unchecked = flags & kPlanUncheckedSites;
  if ((flags & kPlanCheckHeap) && ((mode & kModePoint) || (listed(record.identity) && !unchecked)))
    mode |= kModeCheck;
  return mode;
}

/// Whether nothing but a recording wants the site, and it has nothing to tell.
bool staysOff(const SiteRecord& record, uint8_t mode) {
  bool recordsOnly = mode != kModeOff && (mode & ~(kModeLearn | kModeRecord)) == 0;
  return recordsOnly && isAccess(record.kind) && isLocal(record.identity) &&
         !listed(record.identity);
}

/// Whether a mode byte asks for the hooked clone: sync calls and spins are hooked in both, but who
/// calls them is only known there.
bool asksForHooks(const SiteRecord& record, uint8_t mode) {
  if (mode & kModeTarget)
    return true;
  return mode != kModeOff && record.kind != SiteKind::Call && record.kind != SiteKind::Spin;
}

/// A function runs hooked when an active site can be reached from it through direct calls inside
/// its module; other calls pass a dispatcher, which decides for itself.
void selectClones(ModuleDescriptor& module) {
  bool everywhere = hooksExpected ||
                    (activePlan && ((planCopy.flags & (kPlanStacks | kPlanRecord | kPlanLearn)) ||
                                    planCopy.target.kind == TargetKind::AtomicSet));
  for (uint32_t f = 0; f < module.functionCount; ++f) {
    const FunctionRecord& function = module.functions[f];
    uint8_t active = everywhere;
    for (uint32_t s = function.firstSite; !active && s < function.firstSite + function.siteCount;
         ++s)
      active = asksForHooks(module.sites[s], module.modes[s]);
    module.functionModes[f] = active;
  }
  for (bool changed = !everywhere; changed;) {
    changed = false;
    for (uint32_t f = module.functionCount; f-- > 0;) {
      const FunctionRecord& function = module.functions[f];
      for (uint32_t c = 0; !module.functionModes[f] && c < function.calleeCount; ++c)
        if (module.functionModes[module.callees[function.firstCallee + c]])
          module.functionModes[f] = changed = true;
    }
  }
}

/// What triggers the target may depend on every lock: with a target all of them are points.
bool thinsSync() {
  return activePlan && planCopy.thinFirst != 0 && planCopy.thinSync != 0 &&
         planCopy.target.kind == TargetKind::None;
}

/// Accesses that are points or checked; whoever learns or records each of them needs them all.
bool mayBeThinned(const SiteRecord& record, uint8_t mode) {
  bool plain = record.kind == SiteKind::Read || record.kind == SiteKind::Write;
  return (plain || (thinsSync() && isAtomic(record.kind))) && activePlan &&
         planCopy.thinFirst != 0 && (mode & (kModePoint | kModeCheck)) && !(mode & kModeLearn);
}

bool locksMutex(const SiteRecord& record, const ModuleDescriptor& module) {
  if (record.kind != SiteKind::Call || !(record.flags & kSiteSync))
    return false;
  constexpr const char* kNames[] = {"pthread_mutex_lock", "pthread_mutex_unlock", "mtx_lock",
                                    "mtx_unlock"};
  const char* callee = module.strings + record.callee;
  for (const char* name : kNames)
    if (strcmp(callee, name) == 0)
      return true;
  return false;
}

} // namespace

void applyModes(ModuleDescriptor& module) {
  bool mayStayOff = activePlan && planCopy.localSites != 0 && isInExecutable(module);
  for (uint32_t i = 0; i < module.siteCount; ++i) {
    uint8_t mode = wantedMode(module.slots[i].id, module, module.sites[i]);
    module.modes[i] = mode;
    SiteSlot& slot = module.slots[i];
    siteModes[slot.id] = mode; // also of the copies in other modules
    slot.watch = kWatchNothing;
    if (mayStayOff && staysOff(module.sites[i], mode)) {
      bool watched = (mode & kModeLearn) && planCopy.localExecutions != 0;
      module.modes[i] = watched ? kModeLearn : kModeOff;
      slot.watch = watched ? kWatchLocal : kWatchNothing;
    }
    auto kind = static_cast<uint64_t>(eventOf(module.sites[i].kind));
    bool wantsCaller =
        (planCopy.flags & kPlanCallers) && (module.sites[i].flags & kSiteLibrary) != 0;
    bool slow = wantsCaller || (planCopy.flags & kPlanUnits);
    slot.kind =
        mode == kModeRecord && !slow && slot.watch == kWatchNothing ? kind << 48 : kSlowSlot;
    if (uint32_t number = mayBeThinned(module.sites[i], mode) ? nextThinNumber() : kNotThinned)
      slot.kind = kThinnedSlot | (mode & kModeRecord ? kThinnedRecorded : 0) | number;
    if (thinsSync() && locksMutex(module.sites[i], module))
      thinOutCall(static_cast<SiteId>(slot.id));
  }
  selectClones(module);
}

bool isListedSite(SiteId site) {
  return activePlan && listed(static_cast<uint64_t>(identityOf(site)));
}

void applyPlan(const Plan& plan, const uint64_t* listedSites) {
  planCopy = plan;
  activePlan = &planCopy;
  activeList = listedSites;
  forgetThinNumbers();
  for (ModuleDescriptor* module = firstModule(); module; module = module->next)
    applyModes(*module);
}

namespace {

/// Whether the site is a point only because it is listed.
bool isListedPoint(const SiteRecord& record, uint8_t mode) {
  return (mode & kModePoint) && !(mode & kModeTarget) && isAccess(record.kind) &&
         !isAtomic(record.kind);
}

/// Sets the modes of all listed points to what the plan wants, or to what is left of it outside of
/// the window.
void switchPoints(bool on) {
  // A recording of listed sites is one of the window, too.
  uint8_t ofPoints = kModePoint | kModeSelected | kModeCheck |
                     (planCopy.flags & kPlanRecord ? kModeOff : kModeRecord);
  for (ModuleDescriptor* module = firstModule(); module; module = module->next)
    for (uint32_t i = 0; i < module->siteCount; ++i) {
      if (!listed(module->sites[i].identity) && planCopy.points != PointSet::All)
        continue;
      uint8_t mode = wantedMode(module->slots[i].id, *module, module->sites[i]);
      if (!isListedPoint(module->sites[i], mode))
        continue;
      uint8_t now = on ? mode : static_cast<uint8_t>(mode & ~ofPoints);
      module->modes[i] = now;
      siteModes[module->slots[i].id] = now;
    }
}

} // namespace

void dimPoints() { switchPoints(false); }
void lightPoints() { switchPoints(true); }

void switchOff(const SiteSlot& slot) {
  for (ModuleDescriptor* module = firstModule(); module; module = module->next) {
    if (&slot < module->slots || &slot >= module->slots + module->siteCount)
      continue;
    auto index = &slot - module->slots;
    module->modes[index] = kModeOff;
    module->slots[index].watch = kWatchOver;
  }
}

namespace {

/// The mode byte of a slot; null if its module is gone.
uint8_t* modeByte(const SiteSlot& slot) {
  for (ModuleDescriptor* module = firstModule(); module; module = module->next)
    if (&slot >= module->slots && &slot < module->slots + module->siteCount)
      return &module->modes[&slot - module->slots];
  return nullptr;
}

} // namespace

void rest(const SiteSlot& slot) {
  if (uint8_t* mode = modeByte(slot))
    *mode = kModeOff;
}

void wake(const SiteSlot& slot) {
  if (uint8_t* mode = modeByte(slot))
    *mode = siteModes[slot.id];
}

uint64_t localExecutions() { return planCopy.localExecutions; }

bool targetsCall() {
  const Target& target = planCopy.target;
  if (!activePlan || target.kind != TargetKind::Race)
    return false;
  for (uint32_t id = kFirstSiteId; id < siteCount(); ++id)
    if (siteKinds[id] == SiteKind::Call && (siteModes[id] & kModeTarget))
      return true;
  return false;
}

void expectHooks() {
  hooksExpected = true;
  for (ModuleDescriptor* module = firstModule(); module; module = module->next)
    selectClones(*module);
}

} // namespace heddle::rt
