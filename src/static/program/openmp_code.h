#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

/// Code that the rewriting of OpenMP writes: threads, joins and locks of the models.
namespace heddle::analysis {

inline constexpr llvm::StringLiteral kTeamEntry = "heddle-omp-team";
inline constexpr llvm::StringLiteral kTaskEntry = "heddle-omp-task";
inline constexpr llvm::StringLiteral kTaskLoopEntry = "heddle-omp-taskloop";
inline constexpr llvm::StringLiteral kTaskBlock = "heddle_omp_block";

class OpenMpCode {
public:
  explicit OpenMpCode(llvm::Module& module) : module_(module) {}

  llvm::Module& module() const { return module_; }
  llvm::LLVMContext& context() const { return module_.getContext(); }
  llvm::PointerType* pointer() const { return llvm::PointerType::get(context(), 0); }

  /// Calls before an instruction, at its place in the source.
  void lock(llvm::Instruction& before, llvm::Value* lock, bool shared = false) const;
  void unlock(llvm::Instruction& before, llvm::Value* lock) const;
  /// Not zero when the lock was taken.
  llvm::Value* tryLock(llvm::Instruction& before, llvm::Value* lock) const;
  void create(llvm::IRBuilder<>& builder, llvm::Value* handle, llvm::Function& entry,
              llvm::Value* argument) const;
  void join(llvm::IRBuilder<>& builder, llvm::Value* handle) const;
  llvm::CallInst* block(llvm::IRBuilder<>& builder, llvm::Value* bytes) const;

  /// A variable that stands for a lock, or has room for handles.
  llvm::GlobalVariable* newLock(const llvm::Twine& name) const;
  llvm::GlobalVariable* newHandles() const;
  llvm::Value* element(llvm::IRBuilder<>& builder, llvm::Value* handles, llvm::Value* index) const;
  /// A thread's first function, with nothing in it: `void* entry(void*)`.
  llvm::Function* newEntry(const llvm::Function& body, llvm::StringRef kind) const;
  /// Puts a loop before an instruction; nobody knows how often it runs.
  void loop(llvm::Instruction& before,
            llvm::function_ref<void(llvm::IRBuilder<>&, llvm::Value* index)> body) const;
  llvm::AllocaInst* local(llvm::Function& function, llvm::Type* type) const;

private:
  llvm::FunctionCallee function(llvm::StringRef name, llvm::Type* result,
                                llvm::ArrayRef<llvm::Type*> parameters) const;

  llvm::Module& module_;
};

/// All calls of a function that has no code.
llvm::SmallVector<llvm::CallInst*, 8> callsOf(llvm::Module& module, llvm::StringRef name);

/// Rewrites tasks: creation, dependences, waits.
void lowerTasks(const OpenMpCode& code);

} // namespace heddle::analysis
