#pragma once

#include <string>

namespace llvm {
class DILocation;
class DIScope;
class DISubprogram;
class Function;
class Instruction;
class DIFile;
} // namespace llvm

namespace heddle::pass {

/// Where an instruction stands in the source; empty and 0 without debug information.
struct SourcePlace {
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;
  std::string inlinedAt;
  bool inLibrary = false; ///< in a system header
};

SourcePlace sourcePlace(const llvm::Instruction& instruction);

/// "bank::Account::deposit"; "" without debug information.
std::string displayName(const llvm::Function& function);

/// The scope's name with the scopes around it, without inline and unnamed namespaces:
/// "bank::Account".
std::string qualifiedName(const llvm::DIScope* scope);

} // namespace heddle::pass
