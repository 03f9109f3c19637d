#pragma once

#include "llvm/IR/PassManager.h"

#include <string>
#include <vector>

namespace heddle::pass {

/// What `heddle synth` records with: hooks that tell calls across the border between client and
/// library with their typed values, accesses, allocations and locks. Off unless the environment
/// says in HEDDLE_SEED what the library is (what SeedZones takes, separated by ";"), as it does
/// when the embedded bitcode is compiled once more; the unit then has these hooks and none of
/// heddle's others. docs/synthesis.md describes what they tell.
class SeedRecordingPass : public llvm::PassInfoMixin<SeedRecordingPass> {
public:
  explicit SeedRecordingPass(std::vector<std::string> own) : own_(std::move(own)) {}

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }

  /// The library that HEDDLE_SEED names; empty: off.
  static std::vector<std::string> libraryFromEnvironment();

private:
  std::vector<std::string> own_;
};

} // namespace heddle::pass
