#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"

/// OpenMP, as clang compiles it: calls of libomp with outlined functions. docs/static-openmp.md
/// says what becomes of each construct.
namespace heddle::analysis {

/// Rewrites the calls as threads that are created and joined, and as locks, so that the analyses
/// see what they know. Accesses and their identities stay as they are.
void lowerOpenMp(llvm::Module& module);

/// Whether the function is what a team's threads begin with.
bool isTeamEntry(const llvm::Function& function);
/// Whether the function is what a task begins with.
bool isTaskEntry(const llvm::Function& function);
/// Whether the tasks share the iterations of a loop.
bool isTaskLoopEntry(const llvm::Function& function);
/// Whether all threads of a team wait there for each other.
bool isTeamBarrier(const llvm::Instruction& instruction);
/// Whether a thread can come to the instruction again without a barrier in between.
bool comesAgain(const llvm::Instruction& instruction);
/// Whether the variable stands for a region that one thread of a team executes: single, master.
bool isOneThreadRegion(const llvm::Value& variable);
/// Whether the call makes the memory of a task.
bool isTaskBlock(const llvm::Value& call);
/// The function that has the code of a team's region or of a task, below its entry.
const llvm::Function* regionOf(const llvm::Function& entry);
/// Whether the function only leads from libomp to the code of a region or task.
bool isOutlining(const llvm::Function& function);
/// What a report calls an outlined function: the one that has the pragma; else the name itself.
llvm::StringRef withoutOutlining(llvm::StringRef name);

} // namespace heddle::analysis
