#pragma once

#include "runtime/core/fiber.h"

/// Watches for a target of kind AtomicSet: whether the accesses of two units of work come in the
/// order of the target's pattern. It is triggered when the last of them is executed. Works under
/// every strategy, so that a replay finds the same; target_watch.h is what the scheduler calls.
namespace heddle::rt {

/// Starts anew for a run.
void watchPattern(const Target& target);

/// The roles that the fiber can play: accesses of the pattern, made from the recorded places in
/// units that it has entered, and entries of its units.
RoleMask patternRolesAt(const Fiber* fiber, SiteId site);

/// The fiber executes a pending operation that has roles.
void followPattern(Fiber* fiber);

/// The fiber, which takes part in a window, is at a scheduling point: the strategy hears of it
/// where others can go on without it.
void lookAtWindows(Fiber* fiber);

/// The run ends because of what the fiber has found. If all it did was to read what a unit of
/// another fiber has written by half, the pattern was triggered without its last access, which
/// will never be: the meeting then has one side less than the pattern.
void cutPattern(const Fiber* fiber);

} // namespace heddle::rt
