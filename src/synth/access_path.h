#pragma once

#include "synth/seed_trace.h"

#include <string>
#include <vector>

namespace heddle::synth {

enum class RootKind : uint8_t {
  Argument, ///< I_0 is the receiver, I_1 the first argument: the object at entry, for good
  Result,   ///< I_r
  Global,   ///< always the same object
  Fresh,    ///< the n-th object that the call allocated: nothing that a client can name
  Unknown,
};

/// How a client reaches an object: from a root along edges. An edge is the name of a pointer
/// member in the object before it ("x", "stats_.last", "items_[]").
struct AccessPath {
  RootKind root = RootKind::Unknown;
  uint32_t index = 0;
  std::vector<std::string> edges;

  /// Whether a client can influence what is there: the paper's "not ⊥".
  bool isKnown() const;
  AccessPath then(const std::string& edge) const;
  /// Of the root that the client gives, "this" or its number: "this.x", "arg1.w", "⊥".
  std::string text() const;
  auto operator<=>(const AccessPath&) const = default;
};

/// A member of the object at a path.
struct MemberPath {
  AccessPath object;
  MemberPlace member;
  std::string text() const;
};

} // namespace heddle::synth
