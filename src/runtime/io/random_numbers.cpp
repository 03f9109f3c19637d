#include "runtime/base/persistent.h"
#include "runtime/base/real.h"
#include "runtime/core/scheduler.h"
#include "runtime/core/scheduler_state.h"

/// rand and drand48: libc's own, one stream for all threads.
namespace heddle::rt {

namespace {

/// Who drew last while there were other threads.
const Fiber* lastDrawer = nullptr;

/// When several threads draw, what they get depends on an order that no schedule has.
void noteDraw() {
  if (!controlled() || scheduler.alive < 2)
    return;
  if (lastDrawer && lastDrawer != scheduler.current)
    persistent().result.flags |= kResultUnordered;
  lastDrawer = scheduler.current;
}

} // namespace

} // namespace heddle::rt

using namespace heddle::rt;

HEDDLE_INTERPOSE int rand() {
  noteDraw();
  return real::rand();
}

HEDDLE_INTERPOSE long random() {
  noteDraw();
  return real::random();
}

HEDDLE_INTERPOSE void srand(unsigned seed) {
  noteDraw();
  real::srand(seed);
}

HEDDLE_INTERPOSE void srandom(unsigned seed) {
  noteDraw();
  real::srandom(seed);
}

HEDDLE_INTERPOSE long lrand48() {
  noteDraw();
  return real::lrand48();
}

HEDDLE_INTERPOSE long mrand48() {
  noteDraw();
  return real::mrand48();
}

HEDDLE_INTERPOSE double drand48() {
  noteDraw();
  return real::drand48();
}

HEDDLE_INTERPOSE void srand48(long seed) {
  noteDraw();
  real::srand48(seed);
}
