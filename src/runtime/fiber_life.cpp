#include "arena.h"
#include "context.h"
#include "donor.h"
#include "failure.h"
#include "learn.h"
#include "run_record.h"
#include "scheduler_entry.h"
#include "scheduler_parts.h"
#include "sites.h"
#include "thread_model.h"

#include <new>

/// How fibers begin and end.
namespace heddle::rt {

namespace {

Fiber* newFiber(uintptr_t shadow) {
  auto* fiber = new (runAllocate(sizeof(Fiber))) Fiber;
  uint32_t index = scheduler.threads++;
  scheduler.fibers[index] = fiber;
  scheduler.words = scheduler.threads / 64 + 1;
  fiber->view.index = static_cast<ThreadIndex>(index);
  fiber->shadowBase = reinterpret_cast<const uint32_t**>(shadow);
  fiber->shadowTop = fiber->shadowBase;
  return fiber;
}

/// A detached thread can not give its donor back while it still stands on its stack.
void reapZombies() {
  while (Fiber* fiber = scheduler.zombies) {
    scheduler.zombies = fiber->queueNext;
    fiber->queueNext = nullptr;
    recycle(fiber);
  }
}

} // namespace

Fiber* createFiber(ThreadFunction start, void* argument, size_t stackBytes, int& error) {
  if (scheduler.threads >= kMaxThreads) {
    error = 11; // EAGAIN
    return nullptr;
  }
  reapZombies();
  Donor* donor = takeDonor(stackBytes, error);
  if (!donor)
    return nullptr;
  Fiber* parent = scheduler.current;
  Fiber* fiber = newFiber(donor->stackLow + donor->stackBytes);
  fiber->donor = donor;
  donor->fiber = fiber;
  fiber->stackPointer = donor->parked;
  fiber->fsBase = donor->fsBase;
  fiber->start = start;
  fiber->argument = argument;
  fiber->parent = parent;
  fiber->ordinal = ++parent->children;
  fiber->lastRan = scheduler.steps;
  fiber->view.path = childPath(parent->view.path, fiber->ordinal);
  fiber->view.pending = {EventKind::ThreadStart, parent->callSite, 0};
  fiber->createSite = parent->callSite;
  fiber->createFrameCount = copyFrames(parent, fiber->createFrames);
  fiber->signalMask = parent->signalMask;
  fiber->createdAt = eventClock();
  if (++scheduler.alive > scheduler.peak)
    scheduler.peak = scheduler.alive;
  scheduler.lastNovelty = scheduler.steps;
  scheduler.strategy->threadCreated(fiber->view);
  enable(fiber);
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
  scheduler.lastNovelty = scheduler.steps;
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
