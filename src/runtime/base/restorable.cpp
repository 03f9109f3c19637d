#include "runtime/base/restorable.h"

#include "runtime/base/persistent.h"

namespace heddle::rt {

void noteNotRestorable(const char* what) {
  persistent().result.flags |= kResultOutlives;
  noteProcessChange(what);
}

void noteProcessChange(const char* what) {
  Persistent& state = persistent();
  if (!state.notRestorable)
    state.notRestorable = what;
  state.result.flags |= kResultNotRestorable;
}

} // namespace heddle::rt
