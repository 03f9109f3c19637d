#pragma once

#include "operation.h"

namespace heddle::explore {

/// Two steps of different threads that are in conflict, in the order in which a run had them.
struct OrderedPair {
  Operation first;
  Operation second;
};

/// The value schedule of a run as ordered pairs: of each step the last ones of other threads that
/// it is in conflict with. What follows from creating and joining threads is left out.
std::vector<OrderedPair> orderedPairs(const Run& run);

} // namespace heddle::explore
