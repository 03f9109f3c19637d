#pragma once

#include "tables.h"

#include "llvm/IR/IRBuilder.h"

namespace heddle::pass {

/// Emits the calls of the runtime's hooks. All of them are declared extern_weak and stand behind a
/// test of a byte that only the runtime sets, so that code without the runtime never calls them.
class HookEmitter {
public:
  HookEmitter(llvm::Module& module, const ModuleSites& sites, const SiteArrays& arrays);

  /// Every site that has a hook.
  void hookAll(llvm::Function& function);
  /// The entries of the function that it is a clone of, before this instruction.
  void hookEntries(const FunctionSites& sites, llvm::Instruction& before);
  /// Calls with kSiteSync and spin loops: what the plain clone keeps.
  void hookSyncOnly(llvm::Function& function);

private:
  bool hasHook(uint32_t site, bool syncOnly) const;
  void hookFunction(llvm::Function& function, bool syncOnly);
  void emit(llvm::Instruction& instruction, uint32_t site);
  llvm::Value* enteredObject(llvm::Function& function, uint32_t site) const;
  /// The call that also tells the order.
  llvm::CallInst* emitAtomic(llvm::Instruction& instruction, SiteKind kind, llvm::Constant* id,
                             llvm::IRBuilder<>& builder);

  const ModuleSites& sites_;
  const SiteArrays& arrays_;
  llvm::Function* access_;
  llvm::Function* atomic_;
  llvm::Function* range_;
  llvm::Function* call_;
  llvm::Function* spin_;
};

} // namespace heddle::pass
