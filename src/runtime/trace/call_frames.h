#pragma once

#include "runtime/base/arena.h"
#include "runtime/core/fiber.h"
#include "runtime/core/scheduler_state.h"
#include "runtime/memory/donor.h"
#include "runtime/trace/sites.h"

/// The shadow stack of call sites as a function in it sees it.
namespace heddle::rt {

/// Where a fiber's shadow stack ends. A library that switches stacks by itself may carry a function
/// from one thread to another, with the place at which that one had its frames: then none are
/// known.
inline const uint32_t** shadowTopOf(const Fiber* fiber) {
  const uint32_t** top = fiber == scheduler.current ? __heddle_frame : fiber->shadowTop;
  size_t stack = fiber->donor ? fiber->donor->stackBytes : kMainStackBytes;
  bool own = top >= fiber->shadowBase &&
             static_cast<size_t>(top - fiber->shadowBase) <= shadowBytes(stack) / sizeof(*top);
  return own ? top : fiber->shadowBase;
}

/// The innermost call site in the program's own code, None when it is not known.
SiteId userCaller(const Fiber* fiber);

/// Calls visit(SiteId as number) for the calls that led to the function of `site`, in which the
/// fiber is, outermost first. The function's own slot, which holds the last call that it has made,
/// is none of them.
template <typename Visit> void visitCallers(const Fiber* fiber, SiteId site, Visit visit) {
  const uint32_t** end = shadowTopOf(fiber);
  if (end > fiber->shadowBase) {
    const uint32_t* last = *(end - 1);
    if (!last || inOneFunction(static_cast<SiteId>(*last), site))
      --end;
  }
  for (const uint32_t** frame = fiber->shadowBase; frame < end; ++frame)
    if (*frame)
      visit(**frame);
}

} // namespace heddle::rt
