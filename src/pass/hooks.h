#pragma once

#include "tables.h"

#include "llvm/IR/IRBuilder.h"

namespace heddle::pass {

/// Emits the calls of the runtime's hooks. All of them are declared extern_weak and guarded by a
/// test of a byte that only the runtime sets, so that code without the runtime never calls them.
class HookEmitter {
public:
  HookEmitter(llvm::Module& module, const ModuleSites& sites, const SiteArrays& arrays);

  /// Every site that has a hook.
  void hookAll(llvm::Function& function);
  /// The entries of the function that it is a clone of, before this instruction.
  void hookEntries(const FunctionSites& sites, llvm::Instruction& before);
  /// Calls with kSiteSync or kSiteUnseen and spin loops: what the plain clone keeps.
  void hookSyncOnly(llvm::Function& function);

private:
  bool hasHook(uint32_t site, bool syncOnly) const;
  void hookFunction(llvm::Function& function, bool syncOnly);
  void emit(llvm::Instruction& instruction, uint32_t site);
  llvm::Value* enteredObject(llvm::Function& function, uint32_t site) const;
  /// The call that also tells the order.
  llvm::CallInst* emitAtomic(llvm::Instruction& instruction, const Site& site, llvm::Constant* id,
                             llvm::IRBuilder<>& builder);
  /// Before a call that may lead to code without hooks, or assembly that is such code.
  llvm::CallInst* emitUnseen(llvm::CallBase& call, const Site& site, llvm::Constant* id,
                             llvm::IRBuilder<>& builder);
  /// The same of a call through a pointer in a plain clone: one test, because there may be many.
  void emitPassing(llvm::CallBase& call, uint32_t site);
  /// Where such a call has returned.
  void emitReturn(llvm::CallBase& call, uint32_t site);

  const ModuleSites& sites_;
  const SiteArrays& arrays_;
  llvm::Function* access_;
  llvm::Function* atomic_;
  llvm::Function* range_;
  llvm::Function* call_;
  llvm::Function* spin_;
  llvm::Function* unseen_;
  llvm::Function* passing_;
  llvm::Function* seen_;
};

} // namespace heddle::pass
