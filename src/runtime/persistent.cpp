#include "persistent.h"

#include "arena.h"

#include <new>

namespace heddle::rt {

Persistent& persistent() { return *reinterpret_cast<Persistent*>(kPersistentBase); }

void createPersistent() {
  static_assert(alignof(Persistent) <= 4096);
  new (mapShared(kPersistentBase, sizeof(Persistent), "the run loop's state")) Persistent;
}

} // namespace heddle::rt
