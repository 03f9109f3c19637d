#pragma once

#include <map>

namespace llvm {
class Function;
class Instruction;
class LoadInst;
class Module;
class StoreInst;
class Value;
} // namespace llvm

namespace heddle::pass {

/// Knows which memory accesses cannot matter to another thread, or are no accesses of the source.
/// The answers depend on nothing that changes with the -O level (no TBAA, no value names), because
/// a site's identity has its index in the function.
class SiteSkips {
public:
  explicit SiteSkips(const llvm::Module& module);

  /// The address is of a local that never escapes, of a thread-local variable, or of this thread's
  /// own scratch memory (errno, an exception that is not thrown yet).
  bool isThreadPrivate(const llvm::Value* address);

  /// The address is of memory that never changes.
  bool isConstantMemory(const llvm::Value* address) const;

  /// A load or store of a vtable pointer, or a load of a vtable's slot.
  bool isVtableAccess(const llvm::Instruction& instruction) const;

private:
  bool escapes(const llvm::Value* local);
  bool isVtablePointerLoad(const llvm::LoadInst& load) const;
  bool isVtablePointerStore(const llvm::StoreInst& store) const;

  bool hasVtables_ = false;
  std::map<const llvm::Value*, bool> escapes_;
};

} // namespace heddle::pass
