#pragma once

#include "synth/call_summary.h"

#include <array>
#include <vector>

namespace heddle::synth {

/// One access of a client call, under one of the paths to its object.
struct RaceSide {
  CallId call = CallId::None;
  size_t access = 0; ///< index in the call's accesses
  AccessPath owner;
};

/// Two accesses of one member that could meet in two threads (section 3.3).
struct RacingPair {
  std::array<RaceSide, 2> sides;
  std::string member; ///< "Counter::count"
};

/// What an access touches, as the same word wherever the object is.
std::string memberName(const SeedTrace& trace, const Access& access, const AccessPath& owner);

/// An unprotected access with itself, or with any access of the same member, protected or not, of
/// which one writes and one is not atomic. Unprotected accesses in constructors are left out, and
/// so is what only the thread that makes or destroys an object can do. Accesses of a method that
/// differ in nothing but their call are one.
std::vector<RacingPair> racingPairs(const SeedTrace& trace, const std::vector<CallSummary>& calls);

} // namespace heddle::synth
