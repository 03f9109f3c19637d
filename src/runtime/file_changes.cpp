#include "file_model.h"
#include "real.h"
#include "scheduler.h"

/// See file_changes.def: each of these is noted and forwarded.

using namespace heddle::rt;

#define HEDDLE_CHANGE(result, name, parameters, arguments)                                         \
  HEDDLE_INTERPOSE result name parameters {                                                        \
    if (controlled())                                                                              \
      noteNotRestorable(#name);                                                                    \
    return real::name arguments;                                                                   \
  }
#include "file_changes.def"
#undef HEDDLE_CHANGE
