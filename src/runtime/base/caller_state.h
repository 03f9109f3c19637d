#pragma once

#include <stdint.h>

/// What the program's thread has in its registers where it calls the runtime, so that it can be
/// told whether a thread repeats itself (progress.h). Every hook and every interposed function
/// begins with a stub (record_hook.S, cmake/link-runtime.sh) that fills this in while it is wanted,
/// and costs a test of one byte otherwise.
namespace heddle::rt {

enum class CallerEntry : uint64_t {
  None,     ///< nothing was captured since the last look
  Hook,     ///< between two instructions: every register is the program's
  Function, ///< an ordinary call: only what a callee keeps is the program's
};

/// The stubs know the layout.
struct CallerState {
  uint64_t wanted;
  CallerEntry entry;
  uint64_t stackPointer; ///< in the calling frame: what lies above it is the program's
  uint64_t kept[6];      ///< rbx, rbp, r12 to r15
  uint64_t others[8];    ///< rax, rcx, rdx, rsi, rdi, r8 to r10
};
static_assert(sizeof(CallerState) == 17 * 8, "the stubs know the layout");

extern "C" __attribute__((visibility("hidden"))) CallerState heddleCaller;

/// Clears the stack below the caller's frame: what the runtime leaves there (counters, digests)
/// shows up again in variables of the program that are not initialized yet, and would make equal
/// states look different. Does nothing while nobody compares states.
inline void scrubStack();

/// Zeroes 4 KB below the stack pointer (record_hook.S).
extern "C" __attribute__((visibility("hidden"))) void heddleScrub();
/// Whether so much of the running fiber's stack lies below the caller's frame.
bool hasRoomToScrub(const void* frame);

inline void scrubStack() {
  if (__builtin_expect(heddleCaller.wanted != 0, false) &&
      hasRoomToScrub(__builtin_frame_address(0)))
    heddleScrub();
}

} // namespace heddle::rt
