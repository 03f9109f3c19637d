#include "runtime/base/arena.h"
#include "runtime/base/context.h"
#include "runtime/core/end_of_run.h"
#include "runtime/core/scheduler_entry.h"
#include "runtime/engine/scheduler_parts.h"
#include "runtime/memory/donor.h"
#include "runtime/memory/heap_threads.h"
#include "runtime/threads/thread_model.h"
#include "runtime/trace/learn.h"
#include "runtime/trace/run_record.h"
#include "runtime/trace/sites.h"
#include "runtime/trace/thinning.h"
#include "runtime/unseen/unseen_spin.h"

#include <new>

/// How fibers begin and end.
namespace heddle::rt {

namespace {

/// Where a fiber goes, and its number. Without a controller those of threads that are gone are used
/// again: nobody asks for them, and a server may make threads without end.
Fiber* takePlace(uint32_t& index) {
  if (Fiber* spare = scheduler.spare) {
    scheduler.spare = spare->queueNext;
    index = raw(spare->index());
    return spare;
  }
  index = scheduler.threads++;
  scheduler.words = (scheduler.threads + 63) / 64;
  return static_cast<Fiber*>(runAllocate(sizeof(Fiber)));
}

Fiber* newFiber(uintptr_t shadow) {
  uint32_t index = 0;
  auto* fiber = new (takePlace(index)) Fiber;
  scheduler.fibers[index] = fiber;
  fiber->view.index = static_cast<ThreadIndex>(index);
  fiber->shadowBase = reinterpret_cast<const uint32_t**>(shadow);
  fiber->shadowTop = fiber->shadowBase;
  return fiber;
}

constexpr uint32_t kMaxOwnStacks = 256;
struct OwnStack {
  uintptr_t low;
  size_t bytes;
};
HEDDLE_LARGE OwnStack ownStacks[kMaxOwnStacks];
uint32_t ownStackCount = 0;

void rememberOwnStack(uintptr_t low, size_t bytes) {
  for (uint32_t i = 0; i < ownStackCount; ++i)
    if (ownStacks[i].low == low && ownStacks[i].bytes == bytes)
      return;
  if (ownStackCount < kMaxOwnStacks)
    ownStacks[ownStackCount++] = {low, bytes};
}

/// Entry of a thread on a stack of the program: nothing of a donor's frames is there.
void ownStackEntry() { fiberMain(scheduler.current); }

/// TLS comes from the donor all the same.
void useOwnStack(Fiber* fiber, const StackRequest& stack) {
  fiber->ownStack = stack.ownAddress;
  fiber->ownStackBytes = stack.bytes;
  rememberOwnStack(stack.ownAddress, stack.bytes);
  fiber->stackPointer =
      makeContext(reinterpret_cast<void*>(stack.ownAddress + stack.bytes), ownStackEntry);
}

/// A detached thread cannot give its donor back while it still stands on its stack.
void reapZombies() {
  while (Fiber* fiber = scheduler.zombies) {
    scheduler.zombies = fiber->queueNext;
    fiber->queueNext = nullptr;
    recycle(fiber);
  }
}

} // namespace

bool inOwnStack(uintptr_t address) {
  for (uint32_t i = 0; i < ownStackCount; ++i)
    if (address - ownStacks[i].low < ownStacks[i].bytes)
      return true;
  return false;
}

Fiber* createFiber(ThreadFunction start, void* argument, const StackRequest& stack, int& error) {
  reapZombies();
  // Without heddle the thread could be made: an error would look like one of the program.
  if (scheduler.threads >= kMaxThreads && !scheduler.spare)
    loseControl("the program makes more than 65,023 threads in one run, and heddle cannot tell "
                "more apart: let it make fewer, for example with a smaller input");
  Donor* donor = takeDonor(stack.ownAddress ? 0 : stack.bytes, error);
  if (!donor)
    return nullptr;
  Fiber* parent = scheduler.current;
  Fiber* fiber = newFiber(donor->stackLow + donor->stackBytes);
  prepareCounts(fiber);
  fiber->donor = donor;
  donor->fiber = fiber;
  fiber->stackPointer = donor->parked;
  if (stack.ownAddress)
    useOwnStack(fiber, stack);
  fiber->fsBase = donor->fsBase;
  if (!scheduler.quiet) // servers make threads without end
    giveHeap(fiber);
  fiber->start = start;
  fiber->argument = argument;
  fiber->parent = parent;
  fiber->ordinal = ++parent->children;
  fiber->view.path = childPath(parent->view.path, fiber->ordinal);
  fiber->view.pending = {EventKind::ThreadStart, parent->callSite, 0};
  fiber->createSite = parent->callSite;
  fiber->createFrameCount = copyFrames(parent, fiber->createFrames);
  fiber->signalMask = parent->signalMask;
  fiber->createdAt = eventClock();
  ++scheduler.alive;
  if (uint32_t withMain = donorsInUse() + 1; withMain > scheduler.peak)
    scheduler.peak = withMain;
  scheduler.lastNovelty = scheduler.lastChange = scheduler.steps;
  scheduler.strategy->threadCreated(fiber->view);
  enable(fiber);
  watchUnseenSpins();
  return fiber;
}

void fiberMain(Fiber* fiber) {
  recordNote(fiber, EventKind::ThreadStart, fiber, 0);
  fiber->result = runThread(fiber);
  finishFiber();
}

void finishFiber() {
  Fiber* fiber = scheduler.current;
  SiteId site = pseudoSite(EventKind::ThreadExit);
  fiber->view.pending = {EventKind::ThreadExit, site, 0};
  uint32_t occurrence = countStep(fiber, site);
  scheduler.lastNovelty = scheduler.lastChange = scheduler.steps;
  fiber->state = ThreadState::Finished;
  fiber->finished = true;
  --scheduler.alive;
  disable(fiber);
  wakeEach(fiber, WaitKind::Join);
  if (fiber->detached) {
    fiber->queueNext = scheduler.zombies;
    scheduler.zombies = fiber;
  }
  scheduler.strategy->threadFinished(fiber->view);
  reschedule(fiber, Reason::Blocked, site, occurrence);
  loseControl("internal error: a finished thread was chosen");
}

void recycle(Fiber* fiber) {
  Donor* donor = fiber->donor;
  if (!donor || fiber == scheduler.current)
    return;
  fiber->donor = nullptr;
  returnDonor(donor);
  if (!scheduler.quiet)
    return;
  fiber->queueNext = scheduler.spare;
  scheduler.spare = fiber;
}

Fiber* fiberOf(uintptr_t pthreadSelf) {
  if (pthreadSelf == scheduler.fibers[0]->fsBase)
    return scheduler.fibers[0];
  Donor* donor = donorAt(pthreadSelf);
  return donor && donor->fsBase == pthreadSelf ? donor->fiber : nullptr;
}

void adoptMainFiber() {
  mapFixed(kMainStackBase, kMainStackBytes + shadowBytes(kMainStackBytes),
           "the main thread's stack");
  Fiber* fiber = newFiber(kMainShadowBase);
  fiber->view.path = ThreadPath::Main;
  fiber->fsBase = readFsBase();
  scheduler.current = fiber;
  scheduler.alive = scheduler.peak = 1;
  scheduler.maxSteps = ~0ull;
  scheduler.strategy = startStrategy();
  __heddle_frame = fiber->shadowTop;
  enable(fiber);
  scheduler.controlled = true;
}

} // namespace heddle::rt
