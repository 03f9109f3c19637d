#include "synth/torn_calls.h"

#include <algorithm>
#include <map>
#include <set>

namespace heddle::synth {
namespace {

/// An access of the receiver's state, and the stretch of the call in which nobody comes between.
struct SteppedAccess {
  size_t access;
  size_t step;
  std::string member;
};

/// Of its own members, or of what they lead to: many classes keep what they have behind a pointer.
bool isOfReceiver(const Access& access) {
  return std::ranges::any_of(access.owners, [](const AccessPath& owner) {
    return owner.root == RootKind::Argument && owner.index == 0;
  });
}

/// Each time that the library holds no lock a new stretch begins, and with each atomic access.
std::map<Label, size_t> stepsOf(const SeedTrace& trace, const CallSummary& call) {
  std::map<Label, size_t> steps;
  size_t step = 0;
  size_t held = 0;
  for (uint32_t i = raw(call.begin); i <= raw(call.end) && i < trace.events.size(); ++i) {
    const SeedEvent& event = trace.events[i];
    if (event.kind == EventKind::Lock && !event.byClient && held++ == 0)
      ++step;
    if (event.kind == EventKind::Unlock && !event.byClient && held > 0)
      --held;
    if (event.isAtomic && held == 0)
      ++step;
    steps[static_cast<Label>(i)] = step;
  }
  return steps;
}

std::vector<SteppedAccess> accessesOf(const SeedTrace& trace, const CallSummary& call) {
  std::vector<SteppedAccess> accesses;
  std::map<Label, size_t> steps = stepsOf(trace, call);
  for (size_t i = 0; i < call.accesses.size(); ++i) {
    const Access& access = call.accesses[i];
    bool isStep = access.isAtomic || !access.unprotected;
    if (isStep && isOfReceiver(access) && !access.member.name().empty())
      accesses.push_back({i, steps[access.label], access.member.name()});
  }
  return accesses;
}

bool isTorn(const std::vector<SteppedAccess>& accesses) {
  return std::ranges::any_of(
      accesses, [&](const SteppedAccess& one) { return one.step != accesses.front().step; });
}

} // namespace

std::vector<RacingPair> tornPairs(const SeedTrace& trace, const std::vector<CallSummary>& calls) {
  std::map<MethodId, std::pair<const CallSummary*, std::vector<SteppedAccess>>> byMethod;
  for (const CallSummary& call : calls) {
    if (trace.methods[raw(call.method)].kind != MethodKind::Member || call.threw)
      continue;
    std::vector<SteppedAccess> accesses = accessesOf(trace, call);
    auto& known = byMethod[call.method];
    if (!known.first || accesses.size() > known.second.size())
      known = {&call, std::move(accesses)};
  }
  AccessPath receiver{RootKind::Argument, 0, {}};
  std::vector<RacingPair> pairs;
  std::set<std::pair<MethodId, MethodId>> done;
  for (const auto& [torn, one] : byMethod)
    for (const auto& [method, other] : byMethod) {
      if (!isTorn(one.second) || done.contains({torn, method}) ||
          one.first->values[0].type != other.first->values[0].type)
        continue;
      for (const SteppedAccess& a : one.second)
        for (const SteppedAccess& b : other.second) {
          bool writes =
              one.first->accesses[a.access].isWrite || other.first->accesses[b.access].isWrite;
          if (a.member != b.member || !writes || done.contains({torn, method}))
            continue;
          done.insert({torn, method});
          done.insert({method, torn});
          pairs.push_back({{RaceSide{one.first->call, a.access, receiver},
                            RaceSide{other.first->call, b.access, receiver}},
                           a.member});
        }
    }
  return pairs;
}

} // namespace heddle::synth
