#pragma once

#include <memory>
#include <string>

namespace llvm {
class CallBase;
class Instruction;
class Module;
class Value;
} // namespace llvm

namespace heddle::pass {

/// What an access touches, as a person would write it.
struct ObjectName {
  std::string text;    ///< "counter", "Account::balance", "Shard::stats.hits", "table[]"; or ""
  uint32_t offset = 0; ///< bytes from the start of the variable or class that `text` starts with
};

/// Names memory by the debug information's types and variables, which flow from a base pointer's
/// variable, member or return type through address computations. LLVM's own struct types are not
/// used: they do not tell instantiations of a template apart.
class ObjectNames {
public:
  explicit ObjectNames(const llvm::Module& module);
  ~ObjectNames();

  ObjectName ofAccess(const llvm::Instruction& access, const llvm::Value* address,
                      uint64_t size) const;
  /// What `this` or the first pointer argument points at; for an allocation the type.
  ObjectName ofCall(const llvm::CallBase& call) const;
  /// What a loop that waits reads in `condition`, a load or a call.
  ObjectName ofSpin(const llvm::Instruction& condition) const;

private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace heddle::pass
