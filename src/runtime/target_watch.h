#pragma once

#include "fiber.h"

/// Watches for the plan's target: which threads are about to play its roles, whether it has come
/// about, and in which order its sides went on. Works under every strategy; directed ones are told.
namespace heddle::rt {

/// Starts anew for a run.
void watchTarget(const Plan& plan);

/// The roles that the fiber can play at a site whose mode has kModeTarget.
RoleMask rolesAt(const Fiber* fiber, EventKind kind, SiteId site);

/// The fiber is at such a site; its pending operation has its roles. Tells the strategy.
void arriveAtTarget(Fiber* fiber, uint32_t occurrence);

/// The fiber executes a pending operation that has roles.
void leaveTarget(Fiber* fiber);

/// The innermost call site in the program's own code, None when it is not known.
SiteId userCaller(const Fiber* fiber);

} // namespace heddle::rt
