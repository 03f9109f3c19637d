#pragma once

#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Function.h"

/// Counts of owners: std::shared_ptr's, and those that programs keep themselves.
namespace heddle::analysis {

/// The count that the branch to a block says was taken down to nothing; null: none.
const llvm::Value* countAtEnd(const llvm::BasicBlock& from, const llvm::BasicBlock& to);

} // namespace heddle::analysis
