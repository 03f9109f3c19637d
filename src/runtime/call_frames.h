#pragma once

#include "fiber.h"
#include "scheduler_state.h"
#include "sites.h"

/// The shadow stack of call sites as a function in it sees it.
namespace heddle::rt {

/// Calls visit(SiteId as number) for the calls that led to the function of `site`, in which the
/// fiber is, outermost first. The function's own slot, which holds the last call that it has made,
/// is none of them.
template <typename Visit> void visitCallers(const Fiber* fiber, SiteId site, Visit visit) {
  const uint32_t** top = fiber == scheduler.current ? __heddle_frame : fiber->shadowTop;
  const uint32_t** end = top;
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
