#pragma once

#include "runtime/core/fiber.h"

/// How a run ends that cannot go on. Everybody may call this; failure/failure.cpp carries it out.

/// A debugger's place to stop at, where the failing thread stands and before handlers of the
/// program run; also for failures that raise no signal, for an unexpected exit status, and for
/// races that break nothing.
extern "C" void __heddle_failure(const char* message);

namespace heddle::rt {

/// The program failed. The message is text for people; `address` is the faulting address or the
/// block; never returns.
[[noreturn]] void failRun(FailureKind kind, const char* message, const void* address = nullptr,
                          int signal = 0);
/// The runtime cannot go on truthfully: the run counts as lost control (exit 4), not as a finding.
[[noreturn]] void loseControl(const char* message);

/// A wrong access to the heap or a wrong free, and what is known about the block.
struct MemoryFault {
  const void* address = nullptr;
  uint32_t size = 0;          ///< of the access; 0 for a free
  SiteId site = SiteId::None; ///< of the access; None: where the thread is
  SiteId allocationSite = SiteId::None;
  SiteId freeSite = SiteId::None;
  ThreadIndex allocationThread = ThreadIndex::None;
  ThreadIndex freeThread = ThreadIndex::None;
};
[[noreturn]] void failMemory(const char* message, const MemoryFault& fault);

} // namespace heddle::rt
