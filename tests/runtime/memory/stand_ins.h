#pragma once

#include "runtime/failure.h"

namespace heddle::rt {

struct CaughtFault {
  bool failed = false;
  MemoryFault fault;
  char message[512] = {};
};
/// Runs the action as if the program were under control and returns the memory error that it
/// reported, if any.
CaughtFault catchFault(void (*action)(void*), void* argument);

template <typename Action> CaughtFault faultOf(Action action) {
  return catchFault([](void* argument) { (*static_cast<Action*>(argument))(); }, &action);
}

} // namespace heddle::rt
