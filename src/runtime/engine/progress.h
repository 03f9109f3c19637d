#pragma once

#include "runtime/core/fiber.h"

/// Whether threads make progress. Progress is a fact about values, and not a number of steps:
/// a thread that works for long is never taken for one that waits.
///
/// - A thread *repeats itself* when it comes to a place with the same registers and the same stack
/// as
///   before, and nothing that it wrote at a hooked site in between changed anything. It then does
///   the same again until another thread changes something: it gives way.
/// - A thread that changed nothing others could see for long, only its own registers or stack (a
///   retry counter), *stands still*: it may wait or compute, nobody can tell. Others get a fair
///   turn, and what it did after that tells which of the two it was.
/// - When everybody who could run repeats, the run is a hang if the program's memory repeats, too
///   (memory_sum.h).
///
/// docs/engine.md has the rule for users.
namespace heddle::rt {

enum class Standing : uint8_t {
  Works,
  StandsStill, ///< for long; others should have a turn
  Repeats,
};

/// The running fiber is at a point, its pending operation is known: how it stands there.
/// `newPlace`: it was never there before.
Standing lookAtProgress(Fiber* fiber, bool newPlace);

/// The running fiber has run alone for long, and changes memory that others see: whether it does so
/// in a loop that has nothing of its own that changes (a heartbeat until somebody says stop). Asked
/// at each of its points from there on.
bool goesRound(Fiber* fiber);

/// Where the fiber's stack ends; its thread-local variables are below, too.
uintptr_t stackEnd(const Fiber* fiber);

/// The fiber has changed something, or others have changed something for it.
void noteChange(Fiber* fiber);
/// The running fiber has done what a comparison of memory cannot show to be a repetition: it asked
/// the kernel or a clock.
void noteOutsideWorld(Fiber* fiber);
/// It was given a fair turn away, and does not count as standing still any more.
void noteTurn(Fiber* fiber, SiteId site);

/// Whether the registers of the fiber that runs from here on are to be captured.
void wantCallerState(const Fiber* fiber);

/// Whether the fiber repeated itself, or stood still for long, since anybody changed anything.
bool stands(const Fiber* fiber);
/// The fiber, which could go on, is switched away.
void noteSwitch(Fiber* fiber);
/// Whether that holds for all that could run since then. `proven`: all of them have repeated
/// themselves, from one place back to it, while nobody was kept from giving back what it took for a
/// moment.
bool everybodyStands(bool proven);

} // namespace heddle::rt
