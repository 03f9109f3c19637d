#pragma once

#include "runtime/core/fiber.h"

/// Code that has no hooks and that no model knows: libraries of other compilers, objects that were
/// compiled without the pass, assembly that nobody can read. It may order threads in ways that
/// heddle does not see.
///
/// An access at the plan's target that was executed counts as one that somebody meets only while
/// its thread has told nobody of it. Unseen code may tell: what it is called for, or what it does
/// when a function that it called returns. Two threads that stand before their accesses at the same
/// time meet whatever code they ran before.
namespace heddle::rt {

/// Whether the address is in a module that has no sites and is not known.
bool isUnseenAddress(const void* address);
/// Whether a function of this name is defined in such a module. The executable's own functions are
/// not looked at.
bool isUnseenFunction(const char* name);

/// Whether the fiber's present function was called from unseen code, or may have been.
bool isBelowUnseenCode(const Fiber* fiber);

} // namespace heddle::rt
