#pragma once

#include "model/recorded_run.h"

#include <optional>
#include <vector>

namespace heddle {

/// An event with what belongs to it: the value that a following Value event carries, the call in
/// the user's code that a preceding Call event names for an event inside a library, and the
/// outcome that a second event of the same operation tells (it blocks, it was busy).
struct Operation {
  uint64_t number = 0; ///< in the run, from 1
  unsigned thread = 0;
  EventKind kind = EventKind::Read;
  SiteId site = SiteId::None;
  SiteId userSite = SiteId::None; ///< None: the site itself is what to show
  uint64_t address = 0;
  unsigned size = 0;
  std::optional<unsigned> other; ///< the thread that it creates, joins ...
  std::vector<unsigned> woken;   ///< threads, by a notification
  unsigned result = 0;           ///< errno-like; EBUSY: the thread waits from here on
  std::optional<uint64_t> value;
  bool judged = false;   ///< a second event told its outcome
  bool switched = false; ///< a decision of the schedule brought the thread here
};

/// Puts the events of a run together to operations, in order.
std::vector<Operation> readOperations(const RecordedRun& run,
                                      const std::vector<Decision>& decisions);

/// Accesses with the same granule may touch the same memory.
constexpr uint64_t granule(uint64_t address) { return address >> 3; }

} // namespace heddle
