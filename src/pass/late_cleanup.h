#pragma once

#include "llvm/IR/PassManager.h"

namespace heddle::pass {

/// Put on the calls of hooks of plain reads.
inline constexpr const char* kReadHook = "heddle-read";
/// And on those that say where a unit of work begins.
inline constexpr const char* kEnterHook = "heddle-enter";

/// At the end of the pipeline: on straight code, what inlining has made superfluous goes.
///
/// - The hook of a plain read that repeats another one, with the same site and address and without
///   a write, a call or an atomic access in between. Hooks stand where the source has accesses; a
///   small member function that is inlined several times into one expression then reads the same
///   member several times. The language lets the compiler read it once, and without heddle it does.
/// - Loads and stores of the shadow stack's top whose value is known. Optimizations cannot know
///   that hooks leave it as it was.
class LateCleanupPass : public llvm::PassInfoMixin<LateCleanupPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

} // namespace heddle::pass
