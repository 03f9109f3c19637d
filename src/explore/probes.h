#pragma once

#include "execution.h"

namespace heddle::explore {

/// One order of two steps tried out of turn: everything as in a run up to the step that is to come
/// second, then the other thread up to the step that is to come first, then whatever happens by
/// default. This is the prioritised testing of section 6.1.2 of the thesis: one fulfilment, no new
/// branches, and the branch that will have this order in the search stays where it is.
struct Probe {
  std::vector<Choice> schedule;
  PairKind pair = PairKind::Locks;
  SiteIdentity first = SiteIdentity::None;
  SiteIdentity second = SiteIdentity::None;
  size_t depth = 0;     ///< of the step that comes second
  size_t distance = 0;  ///< from there to the step that comes first, in the run
  bool isRead = false;  ///< one of the two only reads
  bool isAlike = false; ///< both threads do the same there, as far as it is known
  uint64_t detail = 0;  ///< of synchronization: the object and what the threads do next, as a hash
};

/// What could be tried after a run: the pairs of conflicting steps in the other order, as far as
/// the synchronization of the run lets the other thread get there. One per ordered pair of sites.
/// The latest step that can come second, as the search goes on from the end of the run.
std::vector<Probe> probesOf(const Execution& execution);

/// The same with the earliest step that can come second: what is not there yet, or not whole, is
/// seen by others before the first thread that makes it has done so. All locks of a program may be
/// taken at one site, in a function that locks: there is one for each of its objects and of what
/// threads do next, up to eight.
std::vector<Probe> earliestProbesOf(const Execution& execution);

/// What sort of pair two operations are.
PairKind pairOf(OperationKind first, OperationKind second);

} // namespace heddle::explore
