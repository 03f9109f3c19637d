#pragma once

#include "runtime/core/end_of_run.h"

#include <stdint.h>

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

inline uintptr_t number(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

/// The pointer as the compiler cannot follow it: these tests do what it would warn about.
template <typename T> T* opaque(T* pointer) {
  asm volatile("" : "+r"(pointer));
  return pointer;
}

} // namespace heddle::rt
