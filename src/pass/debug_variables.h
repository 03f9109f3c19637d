#pragma once

#include <string>
#include <vector>

namespace llvm {
class DILocalVariable;
class DIType;
class GlobalVariable;
class Value;
} // namespace llvm

namespace heddle::pass {

/// The local variable that lives at the address; null if none does.
const llvm::DILocalVariable* variableAt(const llvm::Value* address);

/// The local variables and parameters that have this value: a void* parameter and the typed pointer
/// that it is assigned to, for example.
std::vector<const llvm::DILocalVariable*> variablesHolding(const llvm::Value* value);

struct GlobalName {
  std::string text;                   ///< "counter", "bank::total", "Account::count"
  const llvm::DIType* type = nullptr; ///< null without debug information
};

/// A global's name; without debug information its demangled symbol.
GlobalName globalName(const llvm::GlobalVariable& global);

} // namespace heddle::pass
