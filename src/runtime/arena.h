#pragma once

#include <stddef.h>
#include <stdint.h>

/// The runtime's own memory. Nothing here ever touches the program's malloc.
namespace heddle::rt {

/// Fixed addresses, so that pointers are the same in every run and under a debugger.
inline constexpr uintptr_t kPersistentBase = 0x100000000000;
inline constexpr uintptr_t kRunArenaBase = 0x110000000000;
inline constexpr uintptr_t kShadowStackBase = 0x120000000000;
inline constexpr uintptr_t kCopyBase = 0x130000000000;  ///< snapshot copies
inline constexpr uintptr_t kLearnBase = 0x140000000000; ///< cells of learn.cpp
inline constexpr uintptr_t kHeapBase = 0x200000000000;
inline constexpr uintptr_t kHeapBytes = 1ull << 37;
inline constexpr uintptr_t kInternalHeapBase = 0x240000000000; ///< libc's allocations on our behalf
inline constexpr uintptr_t kInternalHeapBytes = 1ull << 32;
inline constexpr uintptr_t kStackBase = 0x300000000000; ///< fiber stacks
inline constexpr uintptr_t kStackStride = 16ull << 20;
inline constexpr uintptr_t kMainStackBase = 0x380000000000;
inline constexpr size_t kMainStackBytes = 64ull << 20;

/// Maps anonymous memory at a fixed address, not reserved; ends the process with a message when
/// the address is taken.
void* mapFixed(uintptr_t address, size_t bytes, const char* what);

/// The same, shared with the children of a fork.
void* mapShared(uintptr_t address, size_t bytes, const char* what);

/// Run state: zeroed memory that is rewound with the snapshot. Never freed.
void* runAllocate(size_t bytes);
/// First byte that was not given out yet.
uintptr_t runArenaTop();

} // namespace heddle::rt
