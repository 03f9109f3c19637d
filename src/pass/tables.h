#pragma once

#include "sites.h"

namespace llvm {
class Constant;
class GlobalVariable;
class Module;
} // namespace llvm

namespace heddle::pass {

inline constexpr const char* kModesName = "heddle.modes";
inline constexpr const char* kSlotsName = "heddle.slots";

/// The arrays that the runtime writes and instrumented code reads.
struct SiteArrays {
  llvm::GlobalVariable* modes = nullptr;
  llvm::GlobalVariable* slots = nullptr;
  llvm::GlobalVariable* functionModes = nullptr;

  llvm::Constant* mode(uint32_t site) const;
  llvm::Constant* id(uint32_t site) const;
  llvm::Constant* functionMode(uint32_t function) const;
};

SiteArrays createArrays(llvm::Module& module, const ModuleSites& sites);

/// Writes the descriptor of site_table.h with all that it points at, and the constructor and
/// destructor that tell the runtime about it.
void createDescriptor(llvm::Module& module, const ModuleSites& sites, const SiteArrays& arrays);

} // namespace heddle::pass
