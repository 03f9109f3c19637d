#pragma once

#include "synth/access_path.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace heddle::synth {

/// A lock that library code holds, as a path: the same lock in another call if the path leads to
/// the same object there.
struct HeldLock {
  Address lock = Address::Null;
  MemberPath path;
  bool shared = false;
};

/// An access of a member by library code in a client's call, with what figures 7 and 9 say of it.
struct Access {
  Label label = Label::None;
  Place place;
  bool isWrite = false;
  bool isAtomic = false;
  std::vector<AccessPath> owners; ///< src of the object, the likeliest first; empty: ⊥
  MemberPlace member;
  std::vector<AccessPath> sources; ///< src of the value of a write; empty: ⊥
  bool writeable = false;
  bool unprotected = false;
  std::vector<HeldLock> locks;
};

/// A pointer that library code stored, whoever owns the object that it is in.
struct Effect {
  Label label = Label::None;
  Label lockFree = Label::None;   ///< the first label from here on at which it holds no lock
  std::vector<AccessPath> owners; ///< never empty; Fresh objects too
  std::string edge;
  std::vector<AccessPath> sources; ///< empty: null, or an object that is not known
};

/// After the call, or from `label` on, the edge at the end of `target` leads to what `source` led
/// to at entry: the writeable assignments of figure 9, with those of RETURN.
struct Placement {
  AccessPath target; ///< of an argument or the result; has an edge, but for "result is ..."
  AccessPath source;
  Label label = Label::None; ///< of the assignment
  bool lasts = true;         ///< it is still so when the call ends
  bool exclusive = false;    ///< through an edge that only one owner can have
};

/// One client call, analysed on its own: everything about an earlier call is forgotten, as the
/// INVOKE rule says.
struct CallSummary {
  CallId call = CallId::None;
  MethodId method = MethodId::None;
  std::string test;
  Label begin = Label::None;
  Label end = Label::None;
  Place place;
  std::vector<Value> values; ///< [0] the receiver, where there is one
  Value result;
  bool threw = false;
  std::vector<Access> accesses;
  std::vector<Effect> effects;
  std::vector<Placement> placements;
  AccessPath resultObject; ///< what the result leads to, where it is an object of the call
  /// The client's objects at entry: (object, edge) -> object, as far as the trace tells.
  std::map<std::pair<Address, std::string>, Address> entryEdges;
  std::vector<AccessPath> freed;     ///< what the call gave back to the heap
  std::set<uint32_t> globals;        ///< that it reads or writes, or what they lead to
  std::set<uint32_t> writtenGlobals; ///< of them, those that it changes
};

} // namespace heddle::synth
