#pragma once

#include "ids.h"

#include <stdint.h>

namespace heddle {

/// What kind of choice a decision overrides.
enum class DecisionKind : uint32_t {
  Switch,   ///< at a scheduling point: another thread runs next than the default would take
  Wake,     ///< a signal, post or futex wake took another waiter than the first in the queue
  Timeout,  ///< a timed wait expired although somebody could still run (--time=any)
  Spurious, ///< a condition variable woke without a signal (--spurious)
  Defer,    ///< only given to a tolerant replay, never recorded: not here, but when the thread next
            ///< cannot go on, the chosen one runs
  Hang,     ///< the run ends here: all threads that could run were shown to repeat themselves
};

/// One deviation from the non-preemptive default, at the `occurrence`-th decision (counted from 1)
/// that `thread` takes part in at `site`. The default is: go on with the running thread while it
/// can run; when it blocks, yields or ends, take the next thread that can run in order of
/// creation, cyclically; wake waiters first come, first served. A schedule is a sequence of
/// decisions in the order in which they happen. It does not depend on which other sites are
/// hooked. The layout is shared between the runtime and the controller.
struct Decision {
  ThreadPath thread;
  SiteIdentity site;
  ThreadPath chosen; ///< for Timeout and Spurious: the thread that wakes
  uint32_t occurrence;
  DecisionKind kind;
};
static_assert(sizeof(Decision) == 32, "shared with the controller");

/// The order in which a tolerant replay looks decisions up: by place, then by what is decided
/// there.
constexpr bool isFiledBefore(const Decision& a, const Decision& b) {
  if (a.thread != b.thread)
    return a.thread < b.thread;
  if (a.site != b.site)
    return a.site < b.site;
  if (a.occurrence != b.occurrence)
    return a.occurrence < b.occurrence;
  return a.kind != b.kind ? a.kind < b.kind : a.chosen < b.chosen;
}

} // namespace heddle
