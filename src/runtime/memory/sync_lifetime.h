#pragma once

#include "model/event.h"

#include <stddef.h>

/// Objects that end while somebody uses them, where no heap block tells: sync objects that were
/// destroyed, and objects on the stack of a thread whose frame has returned.
///
/// A destroyed object carries a mark in its own memory, which whoever makes a new object there
/// overwrites. So nothing has to be known of objects that are made by an initializer, and what was
/// overwritten by something else is not looked at any more.
namespace heddle::rt {

/// The sync object at the address begins to be nobody's; it has at least kMarkedBytes.
inline constexpr size_t kMarkedBytes = 32;
void markDestroyed(void* object);

/// Slow part of checkStackAccess.
void checkForeignStack(const void* address, const char* what, SiteId site);

/// Fails the run when the object was destroyed, or lies in a frame that has returned.
void checkSyncLifetime(const void* object, EventKind kind, SiteId site);

/// Fails the run when another thread holds the lock, or waits for it.
void checkUnused(const void* object, const char* what);

} // namespace heddle::rt
