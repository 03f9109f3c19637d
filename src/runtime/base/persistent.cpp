#include "runtime/base/persistent.h"

#include "runtime/base/arena.h"

#include <new>

namespace heddle::rt {

Persistent& persistent() { return *reinterpret_cast<Persistent*>(kPersistentBase); }

void createPersistent() {
  static_assert(alignof(Persistent) <= 4096);
  constexpr size_t bytes = kSharedTableBase + kSharedTableBytes - kPersistentBase;
  new (mapShared(kPersistentBase, bytes, "the run loop's state")) Persistent;
}

} // namespace heddle::rt
