#pragma once

#include <stdint.h>

/// The mappings of this process, read from /proc/self/maps without libc.
namespace heddle::rt {

struct MappedRange {
  uint64_t begin;
  uint64_t end;
  bool writable;
  bool isPrivate;
  bool fileBacked;
  bool isDevice;      ///< not memory of its own kind: what is written there has effects
  bool isKernelStack; ///< the stack that the kernel made: the run loop lives there
};

/// Visits all of them in order of address until one call returns false.
bool forEachMapping(bool (*visit)(const MappedRange&));
bool isFileBacked(uint64_t address);
/// Changes when a mapping appears, disappears or changes its rights.
uint64_t mappingsHash();

} // namespace heddle::rt
