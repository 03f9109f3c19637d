#pragma once

#include "runtime/core/fiber.h"

#include <unistd.h>

namespace heddle::rt {

/// The kernel's id of a thread as the program sees it: the process id for the main thread, and
/// unique for the others.
inline int threadIdOf(const Fiber* fiber) {
  return getpid() + static_cast<int>(raw(fiber->index()));
}

} // namespace heddle::rt
