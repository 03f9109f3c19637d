#include "runtime/base/real.h"
#include "runtime/base/restorable.h"
#include "runtime/core/scheduler.h"

/// See real_file_changes.def: each of these is noted and forwarded.

using namespace heddle::rt;

#define HEDDLE_CHANGE(result, name, parameters, arguments)                                         \
  HEDDLE_INTERPOSE result name parameters {                                                        \
    if (controlled())                                                                              \
      noteNotRestorable(#name);                                                                    \
    return real::name arguments;                                                                   \
  }
#include "runtime/base/real_file_changes.def"
#undef HEDDLE_CHANGE
