#pragma once

#include "static/ir/paths.h"
#include "static/sharing/escape.h"
#include "static/sharing/freshness.h"

namespace heddle::analysis {

/// How a function came to an address, where the object has one owner at a time: what a unique_ptr,
/// a container or a std::function keeps on the heap.
enum class Owned : uint8_t {
  No,     ///< by other means, or too long ago
  Tied,   ///< read from the owner, and the thread has told nobody anything since
  Loose,  ///< the same, from an owner that no other thread gets at
  Steady, ///< from one that no other thread gets at, and that has not changed since
};

/// Objects that are handed from owner to owner. Who has read an address from the object's only
/// owner and has released nothing since is ordered with all who read it from other owners: the
/// moves in between are, or they are races themselves. docs/static-escape.md has the rules.
class Ownership {
public:
  Ownership(const CallGraph& graph, const Escape& escape, Paths& paths);
  ~Ownership();

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
