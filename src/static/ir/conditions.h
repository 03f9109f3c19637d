#pragma once

#include "llvm/IR/Instructions.h"

namespace heddle::analysis {

/// What a condition says about the result of one instruction: a call, a load, an exchange.
struct Outcome {
  const llvm::Instruction* source = nullptr;
  bool whenZero = false; ///< the condition is true when the result is zero
  bool ifTrue = true;    ///< something is known when it is true,
  bool ifFalse = true;   ///< and when it is false

  const llvm::CallBase* call() const { return llvm::dyn_cast_or_null<llvm::CallBase>(source); }
  const llvm::LoadInst* load() const { return llvm::dyn_cast_or_null<llvm::LoadInst>(source); }
  bool tells(bool taken) const { return source && (taken ? ifTrue : ifFalse); }
  /// Whether the result was not zero; asked when it is known.
  bool isNonZero(bool taken) const { return taken != whenZero; }
};

/// Follows a condition back to the instruction whose result it depends on.
Outcome outcomeOf(const llvm::Value* condition);

} // namespace heddle::analysis
