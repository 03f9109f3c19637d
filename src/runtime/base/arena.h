#pragma once

#include <stddef.h>
#include <stdint.h>

/// The runtime's own memory. Nothing here ever touches the program's malloc.
namespace heddle::rt {

/// Fixed addresses, so that pointers are the same in every run and under a debugger. What a forked
/// run needs lies within one entry of the top page table (512 GiB) and, where sizes allow, end to
/// end, so that the kernel makes one mapping of it: both make a fork cheaper.
inline constexpr uintptr_t kMainStackBase = 0x100000100000;
inline constexpr size_t kMainStackBytes = 64ull << 20;
inline constexpr uintptr_t kMainShadowBase = kMainStackBase + kMainStackBytes;
inline constexpr uintptr_t kSignalStackBase = 0x10000f000000;
inline constexpr uintptr_t kPersistentBase = 0x100010000000;
inline constexpr uintptr_t kRunArenaBase = 0x100010100000;
inline constexpr size_t kRunArenaBytes = 1ull << 32;
inline constexpr uintptr_t kInternalHeapBase = kRunArenaBase + kRunArenaBytes; ///< libc's, for us
inline constexpr uintptr_t kInternalHeapBytes = 1ull << 32;
inline constexpr uintptr_t kHeapTablesBase = kInternalHeapBase + kInternalHeapBytes; ///< heap.h
inline constexpr uintptr_t kHeapBase = 0x102000000000;
inline constexpr uintptr_t kHeapBytes = 1ull << 37;
inline constexpr uintptr_t kStackBase = kHeapBase + kHeapBytes; ///< fiber stacks
inline constexpr uintptr_t kStackStride = 16ull << 20;
inline constexpr uint32_t kMaxStackSlots = 65536;
inline constexpr uintptr_t kStackEnd = kStackBase + kMaxStackSlots * kStackStride;
inline constexpr uintptr_t kSnapshotBase = 0x12f000000000;
inline constexpr uintptr_t kCopyBase = 0x130000000000;       ///< snapshot copies
inline constexpr uintptr_t kSharedCopyBase = 0x13a000000000; ///< shared_contents.h
inline constexpr uintptr_t kWindowCopyBase = 0x13b000000000; ///< the same at a window
inline constexpr uintptr_t kLearnBase = 0x140000000000;      ///< cells of learn.cpp
inline constexpr uintptr_t kOwnEnd = 0x150000000000;         ///< nothing of the runtime beyond this
/// Addresses that no memory has: shared_memory.h names objects by them.
inline constexpr uintptr_t kIdentityBase = 0x160000000000;
/// For large tables of which a run uses little: kept apart from the small statics, which then lie
/// in few pages.
#define HEDDLE_LARGE __attribute__((section(".bss.heddle_large")))

/// Below a stack nothing is mapped. The size keeps the ends of the default stack and its shadow
/// stack within one page table.
inline constexpr size_t kGuardBytes = 1 << 20;
/// The shadow stack lies above the stack. A call takes at least 16 bytes of the stack and 8 of the
/// shadow stack, so that the stack is always the first to overflow.
constexpr size_t shadowBytes(size_t stackBytes) { return stackBytes / 2; }

/// Maps anonymous memory in small pages at a fixed address, not reserved; ends the process with a
/// message when the address is taken.
void* mapFixed(uintptr_t address, size_t bytes, const char* what);

/// The same, shared with the children of a fork.
void* mapShared(uintptr_t address, size_t bytes, const char* what);

/// Run state: zeroed memory that is rewound with the snapshot. Never freed.
void* runAllocate(size_t bytes);
/// First byte that was not given out yet.
uintptr_t runArenaTop();

} // namespace heddle::rt
