#pragma once

#include "describe/operations.h"

#include <optional>
#include <vector>

namespace heddle {

/// A thread that waits for ever because its notification did not reach it. What is known of it are
/// indices of operations.
struct MissedWakeup {
  unsigned waiter = 0; ///< thread
  size_t wait = 0;     ///< that never ends
  size_t notify = 0;   ///< that came before it, or woke another thread
  /// Came too early: what the waiter had read before, and who changed that before the wait began.
  std::optional<size_t> read;
  std::optional<size_t> change;
  /// Woke another one: that thread, which waits again.
  std::optional<unsigned> woken;

  /// All of them, in no order.
  std::vector<size_t> operations() const;
};

/// Why threads of a deadlock wait for a condition variable: a notification that came between the
/// waiter's look at what it waits for and its wait, or one that woke a thread which could not use
/// it. Empty: threads wait for each other in a circle, or nothing of that kind was seen.
std::optional<MissedWakeup> findMissedWakeup(const std::vector<Operation>& operations,
                                             const RunRecord& record);

} // namespace heddle
