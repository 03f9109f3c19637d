#pragma once

#include "static/points_to/constraint_context.h"

#include <memory>

namespace heddle::analysis {

/// The constraints of all functions of a program, each made when it is asked for.
class ProgramConstraints : public ConstraintContext {
public:
  using ConstraintContext::ConstraintContext;

  const FunctionConstraints& of(const llvm::Function& function);
  /// Whether the only place that mentions the function is one direct call.
  static bool hasOneCaller(const llvm::Function& function);

private:
  llvm::DenseMap<const llvm::Function*, std::unique_ptr<FunctionConstraints>> constraints_;
};

} // namespace heddle::analysis
