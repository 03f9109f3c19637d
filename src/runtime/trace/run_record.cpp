#include "runtime/trace/run_record.h"

#include "runtime/base/arena.h"
#include "runtime/base/persistent.h"
#include "runtime/core/scheduler_state.h"
#include "runtime/memory/heap.h"
#include "runtime/memory/program_memory.h"
#include "runtime/memory/shared_memory.h"
#include "runtime/trace/behaviour.h"
#include "runtime/trace/call_frames.h"
#include "runtime/trace/hook_state.h"
#include "runtime/trace/learn.h"
#include "runtime/trace/site_modes.h"
#include "runtime/trace/sites.h"
#include "runtime/trace/trace_ring.h"

#include <link.h>
#include <string.h>

namespace heddle::rt {

namespace {

struct Module {
  uintptr_t begin;
  uintptr_t end;
  uint64_t salt; ///< hash of the name, so that equal offsets in two modules differ
};
constexpr uint32_t kMaxModules = 128;
Module modules[kMaxModules];
uint32_t moduleTotal = 0;

bool tracing = false;
bool values = false;
bool callers = false;
bool learning = false;
bool units = false;
bool exploring = false;
Fiber* lastWriter = nullptr; ///< has written something whose value is not in the trace yet

int addModule(dl_phdr_info* info, size_t, void*) {
  if (moduleTotal == kMaxModules)
    return 1;
  Module module{~uintptr_t{0}, 0, 0};
  for (int i = 0; i < info->dlpi_phnum; ++i)
    if (info->dlpi_phdr[i].p_type == PT_LOAD) {
      uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
      uintptr_t end = begin + info->dlpi_phdr[i].p_memsz;
      module.begin = begin < module.begin ? begin : module.begin;
      module.end = end > module.end ? end : module.end;
    }
  for (const char* c = info->dlpi_name; *c; ++c)
    module.salt = mix(module.salt, static_cast<uint64_t>(*c));
  if (module.begin < module.end)
    modules[moduleTotal++] = module;
  return 0;
}

void addToDigest(const Fiber* fiber, EventKind kind, SiteId site, uint64_t address,
                 uint8_t result) {
  uint64_t word = mix(raw(fiber->view.path), raw(identityOf(site)));
  word = mix(word, symbolicAddress(address) << 16 ^ static_cast<uint64_t>(kind) << 8 ^ result);
  scheduler.digest = mix(scheduler.digest, word);
}

/// How an event names a thread.
uint64_t threadWord(const Fiber* fiber) { return fiber ? uint64_t{raw(fiber->index())} + 1 : 0; }

void writeEvent(const Fiber* fiber, EventKind kind, SiteId site, uint64_t address, uint64_t size,
                uint8_t result) {
  // The object of such an event is a fiber, which another thread gets when this one was joined.
  if (concernsThread(kind))
    size = threadWord(reinterpret_cast<const Fiber*>(address));
  Event event{};
  event.address = address;
  event.kind = static_cast<uint8_t>(kind);
  event.result = result;
  event.site = raw(site);
  event.thread = raw(fiber->index()) & 0xffff;
  event.size = size > 0xffff ? 0xffff : static_cast<uint16_t>(size);
  if (isLifetime(kind))
    setLifetimeBytes(event, size);
  appendEvent(event);
}

bool isPlainAccess(EventKind kind) { return kind <= EventKind::AtomicUpdate; }

void writeWideValue(const Fiber* fiber, SiteId site, uint64_t value, ValueRole role) {
  writeEvent(fiber, EventKind::Value, site, value & 0xffffffffffffull, value >> 48, role);
}

/// Value events follow the access they belong to: reads at once, writes when they have happened.
void writeValue(const Fiber* fiber, SiteId site, uint64_t address, uint32_t size) {
  if (size == 0 || size > 8)
    return;
  uint64_t value;
  if (exploring) {
    if (loadOften(address, size, value))
      writeWideValue(fiber, site, value, kValueWritten);
    return;
  }
  readMemory(address, size, value);
  writeEvent(fiber, EventKind::Value, site, value & 0xffffffffffffull, size, 0);
}

/// Before anybody else does something: the next one may overwrite or free what was written.
void flushPendingValue() {
  Fiber* fiber = lastWriter;
  if (!fiber)
    return;
  lastWriter = nullptr;
  writeValue(fiber, fiber->pendingValueSite, fiber->pendingValueAddress, fiber->pendingValueSize);
}

/// Also of sync operations that come from code without instrumentation.
bool isLibrary(SiteId site) {
  const SiteRecord* record = siteRecord(site);
  return !record || (record->flags & kSiteLibrary);
}

/// A site in a system header says little: the innermost call site in the program's own code goes
/// before it as a Call event; without values only when it is another one than before.
void writeUserFrame(Fiber* fiber, SiteId site) {
  if (!values && !callers)
    return;
  SiteId caller = isLibrary(site) ? userCaller(fiber) : SiteId::None;
  if (values ? caller == SiteId::None : caller == fiber->tracedCaller)
    return;
  fiber->tracedCaller = caller;
  writeEvent(fiber, EventKind::Call, caller, 0, 0, 0);
}

/// Frames of a thread that a trace keeps track of; deeper ones are left out.
constexpr uint32_t kTracedFrames = 512;

/// Tells how the call stack of the event's function differs from the one of the thread's last
/// event: each Frame event names the call at one depth, and ends the stack there; without a site it
/// only ends it.
void writeFrames(Fiber* fiber, SiteId site) {
  if (!fiber->tracedFrames)
    fiber->tracedFrames = static_cast<uint32_t*>(runAllocate(kTracedFrames * sizeof(uint32_t)));
  uint32_t depth = 0;
  bool differs = false;
  visitCallers(fiber, site, [&](uint32_t call) {
    if (depth == kTracedFrames)
      return;
    differs |= depth >= fiber->tracedDepth || fiber->tracedFrames[depth] != call;
    if (differs) {
      fiber->tracedFrames[depth] = call;
      writeEvent(fiber, EventKind::Frame, static_cast<SiteId>(call), 0, depth, 0);
    }
    ++depth;
  });
  if (!differs && depth != fiber->tracedDepth)
    writeEvent(fiber, EventKind::Frame, SiteId::None, 0, depth, 0);
  fiber->tracedDepth = depth;
}

bool hasOrder(EventKind kind) { return kind >= EventKind::AtomicRead && kind <= EventKind::Fence; }

/// The page of the main program's data that was read last. It stays where it is.
uint64_t readablePage = 0;

uint64_t loadedOften(uint64_t address, uint32_t size) {
  uint64_t value = 0;
  loadOften(address, size, value);
  return value;
}

/// The order with which the operation happens now: of a compare-exchange that depends on what the
/// memory holds, which nobody changes before the program looks at it itself.
uint8_t atomicBits(const Fiber* fiber, uint64_t address, uint64_t size) {
  MemoryOrder whenFailed = failureOrderOf(fiber->atomicOrders);
  bool fails = whenFailed != MemoryOrder::Unknown && size <= 8 &&
               loadedOften(address, static_cast<uint32_t>(size)) != fiber->atomicExpected;
  return fails ? orderBits(whenFailed) | kAccessFailed : orderBits(orderOf(fiber->atomicOrders));
}

/// AccessBits; 0 of sync operations.
uint8_t accessBits(const Fiber* fiber, EventKind kind, uint64_t address, uint64_t size,
                   SiteId site) {
  uint8_t bits = callers && isPlainAccess(kind) && isLibrary(site) ? kAccessInLibrary : 0;
  if (!hasOrder(kind))
    return bits;
  const SiteRecord* record = siteRecord(site);
  if (record && (record->flags & kSiteAssembly))
    bits |= kAccessAssembly;
  return bits | atomicBits(fiber, address, size);
}

void traceAccess(Fiber* fiber, EventKind kind, uint64_t address, uint64_t size, SiteId site) {
  if (values || exploring)
    flushPendingValue();
  writeUserFrame(fiber, site);
  if (__builtin_expect(units, false) && !isSync(kind))
    writeFrames(fiber, site);
  writeEvent(fiber, kind, site, address, size, accessBits(fiber, kind, address, size, site));
  if (exploring)
    return; // see exploreValues()
  if (!values || !isPlainAccess(kind) || size == 0 || size > 8)
    return;
  if (!isWrite(kind)) {
    writeValue(fiber, site, address, static_cast<uint32_t>(size));
    return;
  }
  lastWriter = fiber;
  fiber->pendingValueAddress = address;
  fiber->pendingValueSize = static_cast<uint32_t>(size);
  fiber->pendingValueSite = site;
}

/// The number that a semaphore or a barrier holds before the operation: the first word of the one,
/// the third of the other.
void writeCount(const Fiber* fiber, const PendingOperation& operation) {
  uint64_t offset = operation.kind == EventKind::BarrierWait ? 8 : 0;
  uint64_t value = 0;
  if (loadOften(operation.address + offset, sizeof(uint32_t), value))
    writeWideValue(fiber, operation.site, value, kValueObserved);
}

/// The value that a wait on a futex compares with, after what the futex has; how many a wake-up
/// takes.
void writeFutex(const Fiber* fiber, const PendingOperation& operation) {
  uint64_t value = 0;
  if (operation.kind == EventKind::FutexWait &&
      loadOften(operation.address, sizeof(uint32_t), value))
    writeWideValue(fiber, operation.site, value, kValueObserved);
  writeWideValue(fiber, operation.site, fiber->atomicExpected, kValueExpected);
}

/// What a search has to know of an operation at a point: whether a compare-exchange would succeed
/// after another write follows from the values.
void exploreValues(Fiber* fiber, const PendingOperation& operation) {
  EventKind kind = operation.kind;
  if (kind == EventKind::SemWait || kind == EventKind::SemPost || kind == EventKind::BarrierWait)
    return writeCount(fiber, operation);
  if (kind == EventKind::FutexWait || kind == EventKind::FutexWake)
    return writeFutex(fiber, operation);
  if (!isPlainAccess(kind) || operation.size == 0 || operation.size > 8)
    return;
  uint64_t value = 0;
  bool isAtomicRead = kind == EventKind::AtomicRead || kind == EventKind::AtomicUpdate;
  bool mayBeFutex = isWrite(kind) && operation.size == sizeof(uint32_t);
  if ((isAtomicRead || mayBeFutex) && loadOften(operation.address, operation.size, value))
    writeWideValue(fiber, operation.site, value, kValueObserved);
  if (!isWrite(kind))
    return;
  if (kind == EventKind::AtomicUpdate &&
      failureOrderOf(fiber->atomicOrders) != MemoryOrder::Unknown)
    writeWideValue(fiber, operation.site, fiber->atomicExpected, kValueExpected);
  lastWriter = fiber;
  fiber->pendingValueAddress = operation.address;
  fiber->pendingValueSize = operation.size;
  fiber->pendingValueSite = operation.site;
}

/// What each thread would do next, and what went wrong.
void writeEnding(Outcome outcome) {
  for (uint32_t i = 0; i < scheduler.threads; ++i) {
    Fiber* fiber = scheduler.fibers[i];
    if (fiber->finished || (outcome == Outcome::Failed && fiber == scheduler.current &&
                            fiber->state != ThreadState::Blocked))
      continue;
    const PendingOperation& operation = fiber->view.pending;
    writeEvent(fiber, operation.kind, operation.site, operation.address, operation.size,
               kEventPending);
    bool isFutex = operation.kind == EventKind::FutexWait || operation.kind == EventKind::FutexWake;
    if (isFutex || (operation.kind == EventKind::AtomicUpdate &&
                    failureOrderOf(fiber->atomicOrders) != MemoryOrder::Unknown))
      writeWideValue(fiber, operation.site, fiber->atomicExpected, kValueExpected);
  }
  if (outcome != Outcome::Failed)
    return;
  const RunDetail& detail = persistent().batch->detail;
  writeEvent(scheduler.current, EventKind::Failure, static_cast<SiteId>(detail.site), 0,
             static_cast<uint64_t>(detail.failure), kEventPending);
}

} // namespace

bool loadOften(uint64_t address, uint32_t size, uint64_t& value) {
  constexpr unsigned pageBits = 12;
  uint64_t page = address >> pageBits;
  bool inOnePage = (address + size - 1) >> pageBits == page;
  if (inOnePage && (page == readablePage || inHeap(reinterpret_cast<void*>(address)))) {
    value = 0;
    memcpy(&value, reinterpret_cast<const void*>(address), size);
    return true;
  }
  bool known = readMemory(address, size, value);
  bool inProgram = moduleTotal != 0 && address >= modules[0].begin && address < modules[0].end;
  if (known && inOnePage && inProgram)
    readablePage = page;
  return known;
}

void readModules() {
  moduleTotal = 0;
  dl_iterate_phdr(addModule, nullptr);
}

/// What the digest has for an object on a stack.
static constexpr uint64_t kSomeStack = 1;

uint64_t symbolicAddress(uint64_t address) {
  bool onMainStack = address >= kMainStackBase && address < kMainShadowBase;
  bool onStack = address >= kStackBase && address < kStackEnd;
  if (onMainStack || onStack || inOwnStack(address))
    return kSomeStack; // frames of plain and hooked clones differ, and plans differ in what is
                       // plain
  if ((address >= kHeapBase && address < kStackBase) || isFileIdentity(address))
    return address;
  if (address < 0x10000)
    return address;
  for (uint32_t i = 0; i < moduleTotal; ++i)
    if (address >= modules[i].begin && address < modules[i].end)
      return (address - modules[i].begin) ^ modules[i].salt;
  return 0;
}

void recordOperation(Fiber* fiber) {
  const PendingOperation& operation = fiber->view.pending;
  addToDigest(fiber, operation.kind, operation.site, operation.address, 0);
  noteBehaviour(fiber->index(), operation);
  if (__builtin_expect(learning, false))
    noteLearningStep(fiber);
  if (__builtin_expect(tracing, false) && operation.kind != EventKind::Free) // the heap writes that
    traceAccess(fiber, operation.kind, operation.address,
                isSync(operation.kind) ? 0 : operation.size, operation.site);
  if (__builtin_expect(exploring, false))
    exploreValues(fiber, operation);
}

void recordNote(Fiber* fiber, EventKind kind, const void* object, uint8_t result) {
  SiteId site = fiber->callSite == SiteId::None ? pseudoSite(kind) : fiber->callSite;
  auto address = memoryIdentity(reinterpret_cast<uintptr_t>(object));
  addToDigest(fiber, kind, site, address, result);
  if (__builtin_expect(tracing, false)) {
    if (values || exploring)
      flushPendingValue();
    writeUserFrame(fiber, site);
    writeEvent(fiber, kind, site, address, exploring ? kEventNote : 0, result);
  }
}

void recordWake(Fiber* fiber, const Fiber* woken) {
  const PendingOperation& operation = fiber->view.pending;
  if (__builtin_expect(values || exploring, false) && isNotification(operation.kind))
    writeEvent(fiber, operation.kind, operation.site, operation.address, threadWord(woken),
               kEventWakes);
}

void recordAccess(Fiber* fiber, EventKind kind, const void* address, uint64_t size, SiteId site) {
  if (tracing)
    traceAccess(fiber, kind, reinterpret_cast<uintptr_t>(address), size, site);
}

void recordHeapEvent(Fiber* fiber, EventKind kind, const void* block, uint64_t size) {
  if (learning && kind == EventKind::Free)
    learnFree(fiber, block, size ? size : 1, fiber->callSite);
  if (!tracing)
    return;
  SiteId site = fiber->callSite == SiteId::None ? pseudoSite(kind) : fiber->callSite;
  if (values || exploring)
    flushPendingValue();
  writeUserFrame(fiber, site);
  if (__builtin_expect(units, false) && kind == EventKind::Allocate)
    writeFrames(fiber, fiber->callSite);
  writeEvent(fiber, kind, site, reinterpret_cast<uintptr_t>(block), size, 0);
}

void recordUnseenCall(Fiber* fiber, SiteId site) {
  if (!tracing)
    return;
  if (values)
    flushPendingValue();
  writeUserFrame(fiber, site);
  writeEvent(fiber, EventKind::UnseenCall, site, 0, 0, 0);
}

void logDecision(const Choice& choice, DecisionKind kind, ThreadPath chosen) {
  Persistent& state = persistent();
  uint64_t index = state.result.decisions;
  if (!state.batch)
    return;
  if (index >= kMaxDecisions || (index + 1) * sizeof(Decision) > state.batch->decisions.bytes)
    endRun(Outcome::Cut, 0);
  auto* log = reinterpret_cast<Decision*>(reinterpret_cast<char*>(state.batch) +
                                          state.batch->decisions.offset);
  log[index] = {scheduler.fibers[raw(choice.current)]->view.path, choice.site, chosen,
                choice.occurrence, kind};
  ++state.result.decisions;
}

bool mayDeviate() { return persistent().result.decisions < kStrategyDecisions; }

void publishProgress(uint64_t steps) {
  if (BatchHeader* batch = persistent().batch)
    batch->currentSteps = steps;
}

uint32_t copyFrames(const Fiber* fiber, uint32_t* frames) {
  auto depth = static_cast<uint32_t>(shadowTopOf(fiber) - fiber->shadowBase);
  uint32_t first = depth > kMaxFrames ? depth - kMaxFrames : 0;
  uint32_t count = 0;
  for (uint32_t i = first; i < depth; ++i)
    if (const uint32_t* site = fiber->shadowBase[i])
      frames[count++] = *site;
  return count;
}

void beginRecord(const Plan& plan) {
  tracing = plan.flags & (kPlanRecord | kPlanRecordListed);
  values = tracing && (plan.flags & kPlanValues);
  callers = tracing && (plan.flags & kPlanCallers);
  learning = plan.flags & kPlanLearn;
  units = tracing && (plan.flags & kPlanUnits);
  exploring = tracing && (plan.flags & kPlanExplore);
  lastWriter = nullptr;
  bool tellsHeap = tracing || learning || targetsCall() || (plan.flags & kPlanHalves) != 0;
  setHeapEvents(tellsHeap ? recordHeapEvent : nullptr);
  beginTrace(tracing, /*byHooks=*/!values && !units, plan.traceLimit);
}

void endRecord(Outcome outcome) {
  if (values || exploring)
    flushPendingValue();
  if (exploring)
    writeEnding(outcome);
  flushTrace();
}

uint64_t recordedEvents() { return tracedEvents(); }

} // namespace heddle::rt
