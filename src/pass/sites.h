#pragma once

#include "model/site_table.h"

#include <string>
#include <vector>

namespace llvm {
class Function;
class GlobalVariable;
class Instruction;
class LLVMContext;
} // namespace llvm

/// The sites of one translation unit as the pass collects them: plain data between the collector,
/// which finds them, and the tables, which describe them to the runtime.
namespace heddle::pass {

struct Site {
  /// More than one where the source has one operation and the IR several: an atomic operation
  /// whose memory order is a run-time argument, a spin loop with several back edges. None of an
  /// Enter: it is the function's entry.
  std::vector<llvm::Instruction*> instructions;
  SiteKind kind = SiteKind::Call;
  uint8_t flags = 0;
  uint32_t size = 0;
  uint64_t identity = 0;
  uint32_t ordinal = 0;
  std::string callee;
  std::string object;
  uint32_t offset = 0;
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;
  std::string inlinedAt;
  unsigned access = 0;                    ///< of assembly: which of its accesses
  int parameter = -1;                     ///< Enter: the function's, which is the object's address
  llvm::GlobalVariable* global = nullptr; ///< Enter: or the object itself
};

/// How a function is instrumented.
enum class Treatment : uint8_t {
  Versioned, ///< dispatcher, plain and hooked clone
  Single,    ///< cannot be cloned: hooks in the function itself, calls through dispatchers
};

struct FunctionSites {
  llvm::Function* function = nullptr; ///< after versioning: the dispatcher, or the single version
  std::string name;
  std::string displayName;
  Treatment treatment = Treatment::Versioned;
  uint32_t firstSite = 0;
  uint32_t siteCount = 0;
  std::vector<uint32_t> callees; ///< indices of versioned functions it calls directly
};

struct ModuleSites {
  std::vector<Site> sites;
  std::vector<FunctionSites> functions;
};

} // namespace heddle::pass
