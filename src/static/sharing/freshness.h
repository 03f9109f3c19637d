#pragma once

#include "static/ir/paths.h"
#include "static/points_to/call_graph.h"
#include "static/sharing/escape.h"

#include "llvm/ADT/MapVector.h"

namespace heddle::analysis {

/// Which pointer parameters lead to objects that no other thread knows yet.
struct FreshParameters {
  uint32_t fresh = 0; ///< bit i: what parameter i points at
  uint32_t pure = 0;  ///< bit i: and all that pointers in there lead to
  bool last = false;  ///< they are fresh again: the last owner takes them down
  bool owned = false; ///< with all that the function touches
  // Bit i: how parameter i was read from its object's owner, at least: Ownership.
  uint32_t tied = 0;
  uint32_t loose = 0;
  uint32_t steady = 0;

  auto operator<=>(const FreshParameters&) const = default;
  /// What holds for both.
  FreshParameters operator&(const FreshParameters& other) const {
    return {fresh & other.fresh, pure & other.pure,   last && other.last,   owned && other.owned,
            tied & other.tied,   loose & other.loose, steady & other.steady};
  }
};

/// Objects before they are published: what their maker does to them then cannot race. An object is
/// fresh from its allocation until its address is stored where other threads may find it, or a
/// thread is started with it. What the last std::shared_ptr takes down is fresh again: the counting
/// orders it after what all other owners did. docs/static-escape.md has the rules.
class Freshness {
public:
  Freshness(const CallGraph& graph, const Escape& escape, Paths& paths);
  ~Freshness();

  /// Whether all that functions publish was found out: see SummarySolver.
  bool isSettled() const;

  /// Answers for one instance whose parameters are as given.
  class Answers {
  public:
    virtual ~Answers() = default;
    /// Whether an access to the address at the instruction is to an object that is not published.
    virtual bool isFresh(const llvm::Instruction& at, const llvm::Value* address) = 0;
    /// The callee's parameters, as the call finds them.
    virtual FreshParameters atCall(const llvm::CallBase& call,
                                   const FunctionConstraints& callee) = 0;
  };
  std::unique_ptr<Answers> of(InstanceId instance, FreshParameters entering) const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace heddle::analysis
