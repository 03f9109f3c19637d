#pragma once

#include "runtime/core/fiber.h"

/// Watches for the plan's target: which threads are about to play its roles, whether it was
/// triggered, and in which order its sides went on. Works under every strategy; directed ones are
/// told.
///
/// A race is triggered when two threads are about to make its accesses, or when one is about to
/// while another has made its own and has not told anybody anything since: then nothing can have
/// ordered them. The second form is needed where one access leads to the other, as in reading what
/// a pointer points to that was read without a lock.
namespace heddle::rt {

/// Starts anew for a run.
void watchTarget(const Plan& plan);

/// The roles that the fiber can play at a site whose mode has kModeTarget.
RoleMask rolesAt(const Fiber* fiber, EventKind kind, SiteId site);

/// The fiber is at such a site; its pending operation has its roles. Tells the strategy.
void arriveAtTarget(Fiber* fiber, uint32_t occurrence);

/// The fiber executes a pending operation that has roles.
void leaveTarget(Fiber* fiber);

/// The fiber is about to do something that could order its recent access before what others do:
/// the strategy may let them come first.
void lingerAtTarget(Fiber* fiber);

/// The fiber does something of this kind; its recent access may become ordered by it.
void orderRecent(Fiber* fiber, EventKind kind);

/// Whether an operation of this kind tells other threads nothing.
bool keepsToItself(EventKind kind);

} // namespace heddle::rt
