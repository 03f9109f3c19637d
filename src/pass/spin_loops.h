#pragma once

#include "llvm/IR/PassManager.h"

#include <map>
#include <vector>

namespace llvm {
class Instruction;
} // namespace llvm

namespace heddle::pass {

/// A loop that only waits for memory to change: nothing else would ever switch away from it.
struct SpinLoop {
  std::vector<llvm::Instruction*> backEdges;    ///< the branches back to the header
  const llvm::Instruction* condition = nullptr; ///< what reads the memory that it waits for
};

using SpinLoops = std::map<const llvm::Function*, std::vector<SpinLoop>>;

SpinLoops findSpinLoops(llvm::Module& module, llvm::FunctionAnalysisManager& analyses);

} // namespace heddle::pass
