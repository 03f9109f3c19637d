#include "runtime/sync/once_model.h"

#include "runtime/base/real.h"
#include "runtime/sync/blocking.h"

using namespace heddle;
using namespace heddle::rt;

namespace {

// glibc's values of a control word.
constexpr int kNotCalled = PTHREAD_ONCE_INIT;
constexpr int kRunning = 1;
constexpr int kDone = 2;

void leaveRoutine(pthread_once_t* control, int state) {
  halfPoint(EventKind::OnceEnd, control);
  *control = state;
  released(control);
  note(EventKind::OnceEnd, control, state == kDone ? 0 : 1);
  wakeAll(control, WaitKind::Once);
}

/// The routine threw or the thread was ended in it: the next caller calls it again.
void abandon(void* control) { leaveRoutine(static_cast<pthread_once_t*>(control), kNotCalled); }

} // namespace

/// A routine that calls pthread_once on its own control waits for itself, as in glibc: a deadlock.
HEDDLE_INTERPOSE int pthread_once(pthread_once_t* control, void (*routine)()) {
  if (!controlled())
    return real::pthread_once(control, routine);
  point(EventKind::OnceBegin, control);
  attemptUntil(EventKind::OnceBegin, control, WaitKind::Once, kForever,
               [=] { return *control & kRunning ? EBUSY : 0; });
  if (*control == kDone)
    return 0;
  *control = kRunning;
  acquiredOnce(control);
  taken(control, WaitKind::Once);
  heddleCallOrAbandon(routine, abandon, control);
  leaveRoutine(control, kDone);
  return 0;
}
