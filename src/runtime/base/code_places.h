#pragma once

#include <stdint.h>

/// Whose code stands at an address.
namespace heddle::rt {

struct CodeBounds {
  uintptr_t begin;
  uintptr_t end;
};

/// The runtime's own; empty if it is not in a section of its own.
CodeBounds runtimeCode();
bool isRuntimeCode(uintptr_t address);

/// Learns which libraries are loaded; not from a signal handler.
void readCodePlaces();
/// A library of the system whose own state may be between two steps there (libc, the loader, the
/// C++ library), as of readCodePlaces.
bool isSystemCode(uintptr_t address);

/// The file and the offset in it, for messages, as of readCodePlaces.
struct CodePlace {
  const char* module; ///< without its folders; "?" if unknown
  uintptr_t offset;
};
CodePlace codePlaceOf(uintptr_t address);

} // namespace heddle::rt
