#pragma once

#include "runtime/base/arena.h"

#include <stddef.h>
#include <stdint.h>

/// One object at two addresses is one object: memory of a file (or of a SysV segment) that is
/// mapped shared, and may be mapped once more. Queues, held locks, traces and what is learned name
/// such memory by its identity, which is the file and the offset in it, written as an address that
/// no memory has. Other memory is its own identity, and that of what `mremap` shows once more.
namespace heddle::rt {

inline constexpr uint64_t kIdentityFileBytes = 1ull << 36;
inline constexpr uint32_t kMaxIdentityFiles = 256;
inline constexpr uintptr_t kIdentityEnd = kIdentityBase + kMaxIdentityFiles * kIdentityFileBytes;

/// What is mapped: the device and number of a file, or the id of a SysV segment.
struct SharedSource {
  uint64_t device;
  uint64_t number;
};

/// The range shows the source from `offset` on. Does nothing where there is no place for another.
void shareMemory(uintptr_t address, size_t bytes, const SharedSource& source, uint64_t offset);
/// The same with the identity of the first byte.
void shareAs(uintptr_t address, size_t bytes, uintptr_t identity);
/// The range shows nothing any more.
void unshareMemory(uintptr_t address, size_t bytes);
/// The same for what was shared from this address on.
void unshareMappingAt(uintptr_t address);
/// Whether an address in the range has another identity.
bool isSharedMemory(uintptr_t address, size_t bytes);
/// Whether memory at other addresses has an identity in the range.
bool isShownElsewhere(uintptr_t address, size_t bytes);

extern __attribute__((visibility("hidden"))) uint32_t sharedRanges;
/// Slow part of memoryIdentity.
uintptr_t identityInFile(uintptr_t address);

inline uintptr_t memoryIdentity(uintptr_t address) {
  return __builtin_expect(sharedRanges == 0, true) ? address : identityInFile(address);
}
inline const void* memoryIdentity(const void* address) {
  return reinterpret_cast<const void*>(memoryIdentity(reinterpret_cast<uintptr_t>(address)));
}

inline bool isFileIdentity(uintptr_t identity) {
  return identity - kIdentityBase < kIdentityEnd - kIdentityBase;
}
/// An address at which memory of this identity can be read now; the identity itself if there is
/// none.
uintptr_t addressOfIdentity(uintptr_t identity);

} // namespace heddle::rt
