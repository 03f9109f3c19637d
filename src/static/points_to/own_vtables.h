#pragma once

#include "static/points_to/constraint_context.h"

namespace heddle::analysis {

/// The vtables that a constructor or destructor sets in its own object: those that its base
/// classes' parts set are not kept.
class OwnVtables {
public:
  OwnVtables(const llvm::Function& function, ConstraintContext& context);

  /// Whether the operand is the address of a vtable.
  bool isVtable(Operand source) const;
  /// Whether the call is that of a base class's constructor or destructor.
  bool isBaseStructor(const llvm::CallBase& call) const;

private:
  void collect();
  bool offsetFromThis(const llvm::Value* value, int64_t& offset) const;

  const llvm::Function& function_;
  ConstraintContext& context_;
  llvm::SmallVector<int64_t, 2> offsets_;
};

} // namespace heddle::analysis
