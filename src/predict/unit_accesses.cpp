#include "predict/unit_accesses.h"

#include "model/target.h"
#include "model/unit_waits.h"
#include "predict/reference_counts.h"

#include <algorithm>

namespace heddle {
namespace {

EventKind kindOf(const Event& event) { return static_cast<EventKind>(event.kind); }

/// Units that a thread can be in at the same time; deeper ones are left out.
constexpr size_t kMaxOpen = 256;
/// Calls from a barrier of the library to the atomics that it is made of.
constexpr size_t kCallsInLibrary = 4;
/// Objects that memory can belong to.
constexpr size_t kMaxOwners = 4;
/// Objects that a unit adopts at most.
constexpr size_t kMaxObjects = 200;

ObjectMemory::KnownObject knownAs(const UnitObject& object) {
  return {object.address, object.size, object.described};
}

/// Barriers and latches of the library are atomics; what comes after one is another phase.
bool isRendezvous(const std::string& linkageName) {
  for (const char* prefix :
       {"_ZNSt7barrier", "_ZNSt14__tree_barrier", "_ZNSt5latch", "_ZNKSt5latch"})
    if (linkageName.starts_with(prefix))
      return true;
  return false;
}

/// What tells no other thread anything.
bool isSilent(EventKind kind) {
  return kind == EventKind::Allocate || kind == EventKind::Free || kind == EventKind::MutexLock ||
         kind == EventKind::MutexTryLock || kind == EventKind::ReadLock ||
         kind == EventKind::WriteLock || kind == EventKind::SpinLock;
}

} // namespace

UnitAccesses::UnitAccesses(const SiteCatalog& sites, const std::set<std::string>& declared)
    : sites_(sites), declared_(declared) {
  std::unordered_map<std::string, uint32_t> numbers;
  functions_.resize(sites.size() + 1, 0);
  countsReferences_.resize(sites.size() + 1, false);
  rendezvous_.resize(sites.size() + 1, false);
  reaches_.resize(sites.size() + 1, false);
  uint32_t id = 1;
  for (const SiteEntry& site : sites.entries()) {
    if (!site.linkageName.empty())
      functions_[id] = numbers.emplace(site.linkageName, static_cast<uint32_t>(numbers.size() + 1))
                           .first->second;
    countsReferences_[id] = countsReferences(site.linkageName);
    rendezvous_[id] = isRendezvous(site.linkageName);
    reaches_[id] = site.object.find("::") != std::string::npos && site.object.ends_with("[]");
    ++id;
  }
  trace_.lockStates.emplace_back();
}

void UnitAccesses::add(const Event& event) {
  ++position_;
  switch (kindOf(event)) {
  case EventKind::Frame:
    return frame(event);
  case EventKind::Enter:
    return enter(event);
  case EventKind::Read:
  case EventKind::AtomicRead:
    return access(event, true, false);
  case EventKind::Write:
  case EventKind::AtomicWrite:
    return access(event, false, true);
  case EventKind::AtomicUpdate:
    return access(event, true, (event.result & kAccessFailed) == 0);
  case EventKind::Allocate:
    return allocate(event);
  case EventKind::Free:
    return free(event);
  default:
    if (dividesUnits(kindOf(event)))
      divideUnits(thread(event.thread));
    return sync(event);
  }
}

UnitAccesses::Thread& UnitAccesses::thread(uint32_t index) {
  if (index >= threads_.size()) {
    threads_.resize(index + 1);
    trace_.acquisitions.resize(index + 1);
  }
  return threads_[index];
}

void UnitAccesses::frame(const Event& event) {
  std::vector<uint32_t>& frames = thread(event.thread).frames;
  if (event.size > frames.size())
    return; // a stack of which the beginning is missing
  frames.resize(event.size);
  if (event.site != 0)
    frames.push_back(event.site);
}

bool UnitAccesses::isAlive(const WorkUnit& unit, const Thread& thread, uint32_t function) const {
  if (thread.frames.size() > unit.depth)
    return functionOf(thread.frames[unit.depth]) == unit.function;
  return thread.frames.size() == unit.depth && function == unit.function;
}

void UnitAccesses::leaveEndedUnits(Thread& thread, uint32_t function) {
  std::erase_if(thread.open,
                [&](uint32_t unit) { return !isAlive(trace_.units[unit], thread, function); });
}

/// A wait says that others are to come in: what a unit does after it is the work of another one.
void UnitAccesses::divideUnits(Thread& thread) {
  for (uint32_t& open : thread.open) {
    WorkUnit behind = trace_.units[open];
    open = static_cast<uint32_t>(trace_.units.size());
    trace_.units.push_back(std::move(behind));
  }
}

bool UnitAccesses::isFirstFunction(const Thread& thread) const {
  return std::all_of(thread.frames.begin(), thread.frames.end(), [&](uint32_t site) {
    const SiteEntry* entry = sites_.find(static_cast<SiteId>(site));
    return !entry || (entry->flags & kSiteLibrary) != 0;
  });
}

bool UnitAccesses::isDeclared(const SiteEntry& entry) const {
  bool bySource = (entry.flags & kSiteCallees) != 0 && entry.object.empty() &&
                  (entry.flags & kSiteUndeclared) == 0;
  return bySource || declared_.contains(entry.linkageName);
}

bool UnitAccesses::adopts(const WorkUnit::Adoption& adoption, const SiteEntry& entry) const {
  const SiteEntry* own = sites_.find(adoption.entry);
  bool ofSet = (entry.flags & kSiteGlobal) != 0 && own && own->object == entry.object;
  return own && (own->object.empty() || ofSet);
}

bool UnitAccesses::isWanted(const SiteEntry& entry, const Thread& thread) const {
  bool byHeuristic = (entry.flags & kSiteUndeclared) == 0 && !isFirstFunction(thread);
  if (byHeuristic || isDeclared(entry))
    return true;
  // What a unit adopts is known by the entries of the functions that it calls.
  return (entry.flags & kSiteCallees) == 0 &&
         std::any_of(thread.open.begin(), thread.open.end(), [&](uint32_t unit) {
           const auto& adoptions = trace_.units[unit].adoptions;
           return std::any_of(adoptions.begin(), adoptions.end(),
                              [&](const auto& adoption) { return adopts(adoption, entry); });
         });
}

/// It was not entered with this entry before: that would be its last execution.
bool UnitAccesses::isEnteredNow(const WorkUnit& unit, const Event& entry, uint32_t depth) const {
  auto isSame = [&](const auto& other) { return raw(other.entry) == entry.site; };
  return unit.function == functionOf(entry.site) && unit.depth == depth &&
         std::none_of(unit.objects.begin(), unit.objects.end(), isSame) &&
         std::none_of(unit.adoptions.begin(), unit.adoptions.end(), isSame);
}

WorkUnit& UnitAccesses::enteredUnit(Thread& thread, const Event& entry) {
  auto depth = static_cast<uint32_t>(thread.frames.size());
  if (thread.open.empty() || !isEnteredNow(trace_.units[thread.open.back()], entry, depth)) {
    thread.open.push_back(static_cast<uint32_t>(trace_.units.size()));
    trace_.units.push_back({entry.thread, functionOf(entry.site), depth, position_, {}, {}});
  }
  return trace_.units[thread.open.back()];
}

/// Whether a unit that is open was given the object, or something around it.
bool UnitAccesses::isInside(const Thread& thread, const Event& entry, uint64_t size) const {
  uint64_t end = entry.address + size;
  return std::any_of(thread.open.begin(), thread.open.end(), [&](uint32_t unit) {
    const auto& objects = trace_.units[unit].objects;
    return std::any_of(objects.begin(), objects.end(), [&](const UnitObject& object) {
      return !object.isAdopted() && (object.contains(entry.address, end) ||
                                     (memory_.isOwned(entry.address) &&
                                      memory_.belongsTo(knownAs(object), entry.address, end)));
    });
  });
}

void UnitAccesses::enter(const Event& event) {
  Thread& own = thread(event.thread);
  uint32_t occurrence = ++own.entries[event.site];
  const SiteEntry* entry = sites_.find(static_cast<SiteId>(event.site));
  bool forCallees = entry && (entry->flags & kSiteCallees) != 0;
  if (!entry || (!forCallees && event.address == 0))
    return;
  leaveEndedUnits(own, functionOf(event.site));
  if (!isWanted(*entry, own))
    return;
  // The function's last execution at this depth has ended if it is entered again.
  auto depth = static_cast<uint32_t>(own.frames.size());
  std::erase_if(own.open, [&](uint32_t unit) {
    return trace_.units[unit].depth == depth && !isEnteredNow(trace_.units[unit], event, depth);
  });
  if (own.open.size() == kMaxOpen)
    return;
  if (forCallees) {
    enteredUnit(own, event).adoptions.push_back({static_cast<SiteId>(event.site), occurrence});
    return;
  }
  if (entry->size == 0 || isInside(own, event, entry->size))
    return;
  auto site = static_cast<SiteId>(event.site);
  bool global = (entry->flags & kSiteGlobal) != 0;
  memory_.know(global ? ObjectMemory::Kind::Global : ObjectMemory::Kind::Object,
               {event.address, entry->size, site});
  enteredUnit(own, event)
      .objects.push_back({site, site, event.address, entry->size, occurrence, global});
}

bool UnitAccesses::isAtRendezvous(const Thread& thread, uint32_t site) const {
  auto isOne = [&](uint32_t id) { return id < rendezvous_.size() && rendezvous_[id]; };
  auto callers = std::min(thread.frames.size(), kCallsInLibrary);
  return isOne(site) || std::any_of(thread.frames.end() - static_cast<ptrdiff_t>(callers),
                                    thread.frames.end(), isOne);
}

uint64_t UnitAccesses::contextOf(const Thread& thread, const WorkUnit& unit) const {
  uint64_t context = kEmptyContext;
  for (size_t i = unit.depth; i < thread.frames.size(); ++i) {
    const SiteEntry* call = sites_.find(static_cast<SiteId>(thread.frames[i]));
    context = contextHash(context, call ? call->identity : SiteIdentity::None);
  }
  return context;
}

void UnitAccesses::access(const Event& event, bool read, bool write) {
  sync(event); // what came before it takes effect
  Thread& own = thread(event.thread);
  if (isAtRendezvous(own, event.site))
    return divideUnits(own);
  if (memory_.isPrivate(event, write))
    return;
  if (event.address == 0 || event.size == 0 || own.open.empty() || isReferenceCount(event.site))
    return;
  leaveEndedUnits(own, functionOf(event.site));
  size_t object = 0;
  auto found = std::find_if(own.open.begin(), own.open.end(), [&](uint32_t unit) {
    object = objectWith(trace_.units[unit], event);
    if (object == trace_.units[unit].objects.size())
      object = adopt(trace_.units[unit], event);
    return object < trace_.units[unit].objects.size();
  });
  if (found == own.open.end())
    return;
  if (own.clockMayDiffer) {
    const VectorClock& now = order_.mustClock(event.thread);
    if (trace_.clocks.empty() || own.clock >= trace_.clocks.size() ||
        !(trace_.clocks[own.clock] == now)) {
      own.clock = static_cast<uint32_t>(trace_.clocks.size());
      trace_.clocks.push_back(now);
    }
    own.clockMayDiffer = false;
  }
  trace_.accesses.push_back({*found, event.thread, static_cast<SiteId>(event.site),
                             contextOf(own, trace_.units[*found]), event.address, event.size,
                             position_, own.clock, own.lockState, read, write,
                             static_cast<uint8_t>(object)});
}

size_t UnitAccesses::adopt(WorkUnit& unit, const Event& access) {
  for (const WorkUnit::Adoption& adoption : unit.adoptions)
    for (auto kind : {ObjectMemory::Kind::Object, ObjectMemory::Kind::Global}) {
      auto known = memory_.known(kind, access.address);
      const SiteEntry* entry = known ? sites_.find(known->entry) : nullptr;
      if (!entry || unit.objects.size() == kMaxObjects || !adopts(adoption, *entry))
        continue;
      unit.objects.push_back({adoption.entry, known->entry, known->address, known->size,
                              adoption.occurrence, kind == ObjectMemory::Kind::Global});
      return unit.objects.size() - 1;
    }
  return unit.objects.size();
}

size_t UnitAccesses::objectWith(const WorkUnit& unit, const Event& access) const {
  uint64_t end = access.address + access.size;
  for (size_t i = 0; i < unit.objects.size(); ++i)
    if (memory_.belongsTo(knownAs(unit.objects[i]), access.address, end))
      return i;
  bool reaches = access.site < reaches_.size() && reaches_[access.site];
  return reaches ? objectReaching(unit, access.site) : unit.objects.size();
}

size_t UnitAccesses::objectReaching(const WorkUnit& unit, uint32_t site) const {
  const std::string& name = sites_.find(static_cast<SiteId>(site))->object;
  size_t none = unit.objects.size();
  size_t found = none;
  for (size_t i = 0; i < unit.objects.size(); ++i) {
    const SiteEntry* entry = sites_.find(unit.objects[i].described);
    bool ofClass = entry && !unit.objects[i].global && !entry->object.empty() &&
                   name.starts_with(entry->object + "::");
    if (ofClass && found != none)
      return none; // which of the two is not known
    if (ofClass)
      found = i;
  }
  return found;
}

/// What the innermost unit allocates belongs to its objects, but not to those of the library, if
/// there are others: keys and texts.
void UnitAccesses::allocate(const Event& event) {
  sync(event);
  Thread& own = thread(event.thread);
  if (event.size == 0)
    return;
  uint64_t end = event.address + lifetimeBytes(event);
  memory_.allocate(event.thread, event.address, end);
  leaveEndedUnits(own, functionOf(event.site));
  auto given = [](const UnitObject& object) { return !object.isAdopted(); };
  auto innermost = std::find_if(own.open.rbegin(), own.open.rend(), [&](uint32_t unit) {
    const auto& objects = trace_.units[unit].objects;
    return std::any_of(objects.begin(), objects.end(), given);
  });
  if (innermost == own.open.rend())
    return;
  std::vector<uint64_t> owners;
  for (bool ofLibrary : {false, true})
    for (const UnitObject& object : trace_.units[*innermost].objects) {
      const SiteEntry* entry = sites_.find(object.described);
      bool isLibrary = entry && entry->object.starts_with("std::");
      if (given(object) && isLibrary == ofLibrary && owners.size() < kMaxOwners &&
          (!ofLibrary || owners.empty()))
        owners.push_back(object.address);
    }
  memory_.setOwners(event.address, end, std::move(owners));
}

void UnitAccesses::free(const Event& event) {
  sync(event);
  uint64_t end = event.address + lifetimeBytes(event);
  if (!memory_.free(event.address, end))
    return;
  trace_.freed[event.address].push_back({end, position_});
  trace_.largestFreed = std::max(trace_.largestFreed, lifetimeBytes(event));
}

void UnitAccesses::sync(const Event& event) {
  order_.add(event);
  if (isSync(kindOf(event)) && !isSilent(kindOf(event)))
    memory_.publish(event.thread);
  if (lastSync_ != UINT32_MAX)
    followLocks(lastSync_);
  if (lastSync_ != event.thread)
    followLocks(event.thread);
  bool isAccess = kindOf(event) <= EventKind::AtomicUpdate;
  if (!isAccess || isSync(kindOf(event))) {
    lastSync_ = event.thread;
    thread(event.thread).clockMayDiffer = true;
  }
}

/// Compares what the thread holds with what it held before.
void UnitAccesses::followLocks(uint32_t index) {
  Thread& own = thread(index);
  LockSetId now = order_.held(index);
  own.clockMayDiffer = true;
  if (now == own.lockSet)
    return;
  own.lockSet = now;
  auto locks = order_.lockSets().locks(now);
  auto isHeld = [&](const HeldInstance& held) {
    return std::any_of(locks.begin(), locks.end(),
                       [&](const LockHold& hold) { return hold.lock == held.lock; });
  };
  std::erase_if(own.held, [&](const HeldInstance& held) { return !isHeld(held); });
  for (const LockHold& hold : locks) {
    bool known = std::any_of(own.held.begin(), own.held.end(),
                             [&](const HeldInstance& held) { return held.lock == hold.lock; });
    if (known)
      continue;
    own.held.push_back({hold.lock, ++instances_, hold.shared});
    trace_.acquisitions[index].push_back({position_, hold.lock, hold.shared});
  }
  own.lockState = static_cast<uint32_t>(trace_.lockStates.size());
  trace_.lockStates.push_back(own.held);
}

} // namespace heddle
