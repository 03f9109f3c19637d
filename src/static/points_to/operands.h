#pragma once

#include "static/points_to/constraint_context.h"

namespace heddle::analysis {

/// The variables of one function: which one stands for which value.
class Operands {
public:
  Operands(ConstraintContext& context, FunctionConstraints& body)
      : context_(context), body_(body) {}

  Operand newVariable(const llvm::Value* value);
  /// The variable that stands for an instruction's value; made when it is first mentioned.
  Operand of(const llvm::Value* value);
  /// Writes what was found into the constraints.
  void finish();

private:
  Operand definedBy(const llvm::Instruction& instruction);

  ConstraintContext& context_;
  FunctionConstraints& body_;
  llvm::DenseMap<const llvm::Value*, Operand> operands_;
};

} // namespace heddle::analysis
