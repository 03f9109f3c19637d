#include "runtime/base/real.h"
#include "runtime/core/scheduler.h"
#include "runtime/failure/failure.h"

/// A handler of the program that leaves by longjmp has dealt with the failure.
using namespace heddle::rt;

HEDDLE_INTERPOSE void longjmp(__jmp_buf_tag* place, int value) {
  if (controlled())
    forgetPending();
  real::longjmp(place, value);
}

HEDDLE_INTERPOSE void _longjmp(__jmp_buf_tag* place, int value) {
  if (controlled())
    forgetPending();
  real::_longjmp(place, value);
}

HEDDLE_INTERPOSE void siglongjmp(__jmp_buf_tag* place, int value) {
  if (controlled())
    forgetPending();
  real::siglongjmp(place, value);
}

HEDDLE_INTERPOSE void __longjmp_chk(__jmp_buf_tag* place, int value) {
  if (controlled())
    forgetPending();
  real::__longjmp_chk(place, value);
}
