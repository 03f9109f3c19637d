#pragma once

#include <string>

namespace llvm {
class DILocalVariable;
class DIType;
class GlobalVariable;
class Value;
} // namespace llvm

namespace heddle::pass {

/// The local variable that lives at the address; null if none does.
const llvm::DILocalVariable* variableAt(const llvm::Value* address);

/// The local variable or parameter whose value this is; null if there is none.
const llvm::DILocalVariable* variableHolding(const llvm::Value* value);

struct GlobalName {
  std::string text;                   ///< "counter", "bank::total", "Account::count"
  const llvm::DIType* type = nullptr; ///< null without debug information
};

/// A global's name; without debug information its demangled symbol.
GlobalName globalName(const llvm::GlobalVariable& global);

} // namespace heddle::pass
