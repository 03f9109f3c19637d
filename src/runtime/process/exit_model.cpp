#include "runtime/process/exit_model.h"

#include "runtime/base/message.h"
#include "runtime/base/persistent.h"
#include "runtime/base/process_end.h"
#include "runtime/base/real.h"
#include "runtime/core/end_of_run.h"
#include "runtime/core/scheduler.h"
#include "runtime/core/scheduler_state.h"
#include "runtime/failure/failure.h"
#include "runtime/memory/heap.h"
#include "runtime/targets/pattern_watch.h"
#include "runtime/threads/thread_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>

extern "C" int __cxa_at_quick_exit(void (*handler)(void*), void* dso);

namespace heddle::rt {

namespace {

constexpr int kStatusMask = 0xff; ///< what a parent sees of an exit status

int quickStatus = 0;

/// Registered first, so it runs last: after every handler of the program and every destructor of
/// its modules.
void exitTail(int status, void*) {
  if (!controlled())
    return;
  failIfPending();
  fcloseall(); // flushes like exit() does: without the streams' locks, which others may hold
  endRun(Outcome::Finished, status & kStatusMask);
}

void quickExitTail(void*) {
  if (controlled())
    exitNow(quickStatus);
}

/// An unexpected exit status has its place where exit was called, before destructors run.
void noteExit(int status) {
  BatchHeader* batch = persistent().batch;
  if (!batch || (status & kStatusMask) == batch->plan.expectedExit)
    return;
  __heddle_failure(formatMessage("the program ends with exit status %d", status & kStatusMask));
  describeThreads();
  cutPattern(self());
  batch->detail.thread = raw(self()->index());
  batch->detail.site = raw(self()->callSite);
}

} // namespace

void registerExitTail() {
  InternalAllocation guard;
  on_exit(exitTail, nullptr);
  __cxa_at_quick_exit(quickExitTail, nullptr);
}

void exitProgram(int status) {
  failIfPending();
  point(EventKind::Exit, nullptr);
  noteExit(status);
  runThreadDestructors();
  scheduler.exiting = true;
  real::exit(status);
  loseControl("internal error: exit came back");
}

void exitNow(int status) {
  failIfPending();
  noteExit(status);
  endRun(Outcome::Finished, status & kStatusMask);
}

} // namespace heddle::rt

using namespace heddle::rt;

HEDDLE_INTERPOSE void exit(int status) {
  if (controlled())
    exitProgram(status);
  if (self()) // a child of fork(): registered with us while the program was controlled
    runThreadDestructors();
  if (real::exit)
    real::exit(status);
  leaveProcess(status);
}

HEDDLE_INTERPOSE void _exit(int status) {
  if (!controlled())
    leaveProcess(status);
  point(heddle::EventKind::Exit, nullptr);
  exitNow(status);
}

HEDDLE_INTERPOSE void _Exit(int status) { _exit(status); }

HEDDLE_INTERPOSE void quick_exit(int status) {
  if (controlled()) {
    failIfPending();
    point(heddle::EventKind::Exit, nullptr);
    quickStatus = status;
  }
  real::quick_exit(status);
  leaveProcess(status);
}
