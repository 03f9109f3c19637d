#include "synth/racing_pairs.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace heddle::synth {

std::string memberName(const SeedTrace& trace, const Access& access, const AccessPath& owner) {
  bool isGlobal = owner.root == RootKind::Global && owner.edges.empty();
  if (!isGlobal || trace.types[trace.globals[owner.index].type].kind == TypeKind::Class)
    return access.member.name();
  const std::string& name = trace.globals[owner.index].name;
  return access.member.path.empty() ? name : name + "." + access.member.path;
}

namespace {

struct Candidate {
  RaceSide side;
  std::string member;
  bool isWrite;
  bool isAtomic;
  bool unprotected;
};

/// What makes two accesses of a method the same, whichever call and test they were seen in.
using Key = std::tuple<std::string, std::string, Place, std::string, bool, std::string>;

std::string lockText(const Access& access) {
  std::vector<std::string> locks;
  for (const HeldLock& held : access.locks)
    locks.push_back(held.path.text() + (held.shared ? " shared" : ""));
  std::ranges::sort(locks);
  std::string text;
  for (const std::string& lock : locks)
    text += lock + ";";
  return text;
}

/// A number that the client lends for a result: to share it is the client's own doing.
bool isLent(const SeedTrace& trace, const CallSummary& call, const AccessPath& owner) {
  if (owner.root != RootKind::Argument || owner.index == 0 || !owner.edges.empty())
    return false;
  TypeKind kind = trace.types[call.values[owner.index].type].kind;
  return kind != TypeKind::Class && kind != TypeKind::Container;
}

/// Whether another thread can be at it at all.
bool canMeet(const Method& method, const Access& access, const AccessPath& owner) {
  if (method.kind == MethodKind::Destructor)
    return false;
  if (method.kind != MethodKind::Constructor)
    return true;
  bool underConstruction = owner.root == RootKind::Argument && owner.index == 0;
  return !access.unprotected && !underConstruction;
}

void addCandidates(const SeedTrace& trace, const CallSummary& call,
                   std::map<Key, Candidate>& candidates) {
  const Method& method = trace.methods[raw(call.method)];
  for (size_t i = 0; i < call.accesses.size(); ++i) {
    const Access& access = call.accesses[i];
    for (const AccessPath& owner : access.owners) {
      if (!canMeet(method, access, owner) || isLent(trace, call, owner) ||
          memberName(trace, access, owner).empty())
        continue; // memory of which no type is known: nobody could say what races
      Candidate candidate{{call.call, i, owner},
                          memberName(trace, access, owner),
                          access.isWrite,
                          access.isAtomic,
                          access.unprotected};
      Key key{method.signature, owner.text(),   access.place,
              candidate.member, access.isWrite, lockText(access)};
      candidates.emplace(key, std::move(candidate));
    }
  }
}

/// An access that several calls make is taken from the one that makes the most others, so that
/// one state of the objects serves as many pairs as possible: a pop that found something, and not
/// the one that found nothing.
std::vector<const CallSummary*> busiestFirst(const SeedTrace& trace,
                                             const std::vector<CallSummary>& calls) {
  std::vector<std::pair<size_t, const CallSummary*>> counted;
  for (const CallSummary& call : calls) {
    std::map<Key, Candidate> alone;
    addCandidates(trace, call, alone);
    counted.emplace_back(alone.size(), &call);
  }
  std::ranges::sort(counted, [](const auto& a, const auto& b) {
    return std::pair(b.first, raw(a.second->call)) < std::pair(a.first, raw(b.second->call));
  });
  std::vector<const CallSummary*> order;
  for (const auto& [count, call] : counted)
    order.push_back(call);
  return order;
}

bool conflict(const Candidate& one, const Candidate& other) {
  return (one.isWrite || other.isWrite) && !(one.isAtomic && other.isAtomic);
}

} // namespace

std::vector<RacingPair> racingPairs(const SeedTrace& trace, const std::vector<CallSummary>& calls) {
  std::map<Key, Candidate> found;
  for (const CallSummary* call : busiestFirst(trace, calls))
    addCandidates(trace, *call, found);
  std::map<std::string, std::vector<const Candidate*>> byMember;
  for (const auto& [key, candidate] : found)
    byMember[candidate.member].push_back(&candidate);
  std::vector<RacingPair> pairs;
  for (const auto& [member, accesses] : byMember)
    for (size_t i = 0; i < accesses.size(); ++i)
      for (size_t j = i; j < accesses.size(); ++j)
        if ((accesses[i]->unprotected || accesses[j]->unprotected) &&
            conflict(*accesses[i], *accesses[j]))
          pairs.push_back({{accesses[i]->side, accesses[j]->side}, member});
  return pairs;
}

} // namespace heddle::synth
