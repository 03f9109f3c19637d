#pragma once

#include "synth/call_summary.h"
#include "synth/plan.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace heddle::synth {

/// How the objects of a collection are made once more: the calls of the sequential test, before
/// the call they are collected for, that have to do with them. A call has to do with an object if
/// it is its receiver, an argument or the result, or if it shares one with such a call, or changes
/// a global that matters to one.
struct Recipe {
  std::vector<CallId> calls;        ///< in the order of the test
  std::vector<Value> clientObjects; ///< that no call of the library makes
};

/// `arguments`: which values of the call are wanted; `found`: objects that were there before it.
Recipe recipeFor(const SeedTrace& trace, const std::vector<CallSummary>& calls, CallId call,
                 const std::set<uint32_t>& arguments, const std::vector<Value>& found);

} // namespace heddle::synth
