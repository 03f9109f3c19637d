#include "runtime/base/real.h"
#include "runtime/core/scheduler.h"

/// The functions of include/heddle/heddle.h that need nothing but the scheduler.
using namespace heddle::rt;

HEDDLE_INTERPOSE void heddle_yield_point() {
  if (controlled())
    point(heddle::EventKind::Yield, nullptr);
}

HEDDLE_INTERPOSE int heddle_controlled() { return controlled(); }
