#pragma once

#include "model/event.h"

#include <stdint.h>

/// The producer's side of the trace ring. A full ring blocks; no event is ever dropped, but
/// a plan may say after how many events the trace ends.
namespace heddle::rt {

/// An event as the two words that the hooks store; see Event.
struct EventWords {
  uint64_t addressAndKind; ///< address in the low 48 bits
  uint64_t siteThreadSize; ///< site in the low 32 bits, then 16 bits thread, 16 bits size
};
static_assert(sizeof(EventWords) == sizeof(Event));

constexpr uint64_t threadWord(uint32_t thread) { return uint64_t{thread & 0xffff} << 32; }

/// Where the next event goes. `next == limit` when there is no room or no trace: then
/// makeTraceRoom() must be asked first. The hooks of recorded accesses write here directly.
struct TraceCursor {
  EventWords* next = nullptr;
  EventWords* limit = nullptr;
  uint64_t thread = 0; ///< threadWord of the running thread
  /// As `limit` while hooks may write events themselves, null while they may not (values are
  /// recorded too, or there is no trace).
  EventWords* hookLimit = nullptr;
};
extern "C" TraceCursor heddleTraceCursor; // record_hook.S knows its layout

/// Publishes what was written and waits for room. False: there is no trace.
bool makeTraceRoom();

/// `byHooks`: recorded accesses go straight from the hooks into the ring.
void beginTrace(bool wanted, bool byHooks, uint64_t limit);
/// For the rest of the run.
void keepHooksFromTrace();
void appendEvent(const Event& event);
/// Makes all events visible to the controller.
void flushTrace();
uint64_t tracedEvents();

} // namespace heddle::rt
