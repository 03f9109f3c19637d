#pragma once

#include "model/finding.h"
#include "static/races/analyses.h"

#include <map>

/// The analyses' things in words, for reports.
namespace heddle::analysis {

heddle::Location locate(const llvm::Instruction& instruction);

class Descriptions {
public:
  explicit Descriptions(const Analyses& analyses) : analyses_(analyses) {}

  /// Where a person looks: in the program's own code.
  const llvm::Instruction& shown(const llvm::Instruction& at, uint32_t activation) const;
  /// The shortest way that the analysis went, innermost first.
  Stack callPath(const llvm::Instruction& at, uint32_t activation) const;
  /// All ways that it knows, at most so many.
  std::vector<Stack> callPaths(const llvm::Instruction& at, uint32_t activation, size_t most) const;
  std::string lockName(const HeldLock& lock) const;
  std::vector<std::string> lockNames(LockSetId locks) const;
  /// "Account::mutex_ of bank.cpp:12".
  std::string objectName(LocationId location) const;
  /// "allocated at bank.cpp:12", "the variable total of main, bank.cpp:30".
  std::string memoryName(LocationId location) const;
  /// Where the program's own code makes it.
  std::string memoryPlace(LocationId location) const;
  ThreadInfo thread(uint32_t thread) const;

private:
  const Stack& creationPath(uint32_t thread) const;

  const Analyses& analyses_;
  mutable std::map<uint32_t, Stack> creationPaths_; ///< by thread, once asked for
};

} // namespace heddle::analysis
