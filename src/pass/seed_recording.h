#pragma once

#include "llvm/IR/PassManager.h"

#include <string>
#include <vector>

namespace heddle::pass {

/// A prototype of what `heddle synth` records: hooks that tell calls across the border between
/// client and library with their typed values, accesses, allocations and locks. Off unless the
/// environment names the library in HEDDLE_SEED (parts of paths, separated by ":"); the unit then
/// has these hooks and none of heddle's others. docs/synthesis.md describes what they tell.
class SeedRecordingPass : public llvm::PassInfoMixin<SeedRecordingPass> {
public:
  explicit SeedRecordingPass(std::vector<std::string> libraryPaths)
      : libraryPaths_(std::move(libraryPaths)) {}

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }

  /// The library that HEDDLE_SEED names; empty: off.
  static std::vector<std::string> libraryFromEnvironment();

private:
  std::vector<std::string> libraryPaths_;
};

} // namespace heddle::pass
