#pragma once

#include "static/sharing/freshness.h"
#include "static/sharing/owners.h"

namespace heddle::analysis {

/// Objects that are handed from owner to owner. Who has read an address from
/// the object's only owner and has released nothing since is ordered with all
/// who read it from other owners: the moves in between are, or they are races
/// themselves. docs/static-escape.md has the rules.
class Ownership {
public:
  Ownership(const CallGraph& graph, const Escape& escape, Paths& paths);
  ~Ownership();

  /// Whether all that functions do to owners was found out: see SummarySolver. If not, nothing is
  /// owned.
  bool isSettled() const;

  /// Answers for one instance whose parameters are as given.
  class Answers {
  public:
    virtual ~Answers() = default;
    virtual Owned of(const llvm::Instruction& at, const llvm::Value* address) = 0;
    /// Adds to the callee's parameters what the call finds them to be.
    virtual void atCall(const llvm::CallBase& call, InstanceId callee,
                        FreshParameters& parameters) = 0;
  };
  /// Null where nothing is owned.
  std::unique_ptr<Answers> of(InstanceId instance, const FreshParameters& entering) const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace heddle::analysis
