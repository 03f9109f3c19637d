#pragma once

#include "runtime/core/fiber.h"

/// What a run leaves behind: its digest, its decisions, its trace and the behaviours it showed.
namespace heddle::rt {

/// The running fiber executes its pending operation.
void recordOperation(Fiber* fiber);
/// An event beside the pending operation.
void recordNote(Fiber* fiber, EventKind kind, const void* object, uint8_t result);
/// The pending operation of the running fiber, a notification, wakes another one. Enters only the
/// traces that reports are made from.
void recordWake(Fiber* fiber, const Fiber* woken);
/// An access that is recorded but not a scheduling point.
void recordAccess(Fiber* fiber, EventKind kind, const void* address, uint64_t size, SiteId site);

/// A block was allocated or is about to be freed. Enters the trace and what is learned about
/// shared memory (freeing writes the whole block), but not the digest: plans differ in whether
/// they ask for it.
void recordHeapEvent(Fiber* fiber, EventKind kind, const void* block, uint64_t size);

/// The fiber is about to call code without hooks. Enters the trace, but not the digest: plans
/// differ in whether they ask for it.
void recordUnseenCall(Fiber* fiber, SiteId site);

/// Most deviations from the default that a schedule holds. After those that a strategy may make, a
/// run goes on without preemption; the rest is for what the scheduler has to do by itself.
inline constexpr uint64_t kMaxDecisions = 1 << 22;
inline constexpr uint64_t kStrategyDecisions = kMaxDecisions - (1 << 16);
/// Whether the strategy may deviate once more.
bool mayDeviate();

/// Appends a deviation from the default to the batch's decision log. Ends a run that has too many.
void logDecision(const Choice& choice, DecisionKind kind, ThreadPath chosen);
/// For the watchdog.
void publishProgress(uint64_t steps);

/// Reads up to 8 bytes of the program's memory as readMemory does, for what is asked often: the
/// kernel is left out where it would say nothing new.
bool loadOften(uint64_t address, uint32_t size, uint64_t& value);

/// Copies the fiber's call sites, outermost first, keeping the innermost kMaxFrames.
uint32_t copyFrames(const Fiber* fiber, uint32_t* frames);

/// An address that is the same in every run: offsets in modules, raw in the heap, one for all of
/// the stacks (frames depend on which clones run), else 0 (the runtime's own objects move with the
/// size of the donor pool).
uint64_t symbolicAddress(uint64_t address);
/// Reads the list of modules; again after dlopen.
void readModules();

/// Prepares recording for a run: decision log, trace, values.
void beginRecord(const Plan& plan);
/// Everything of the trace is in the ring.
void endRecord(Outcome outcome);
uint64_t recordedEvents();

} // namespace heddle::rt
