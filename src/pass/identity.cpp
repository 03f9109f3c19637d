#include "identity.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

#include <algorithm>

namespace heddle::pass {
namespace {

// The runtime keeps the identities below for events that have no site of the program.
constexpr uint64_t kReservedIdentities = 4096;

uint64_t hashText(uint64_t hash, const std::string& text) {
  for (unsigned char c : text)
    hash = mix(hash, c);
  return mix(hash, text.size());
}

uint64_t bodyHash(const ModuleSites& sites, const FunctionSites& function) {
  const Site* first = &sites.sites[function.firstSite];
  // Entries stand after the others; which of them there are depends on -g.
  auto entries = std::count_if(first, first + function.siteCount,
                               [](const Site& site) { return site.kind == SiteKind::Enter; });
  uint64_t hash = function.siteCount - static_cast<uint64_t>(entries);
  for (uint32_t i = 0; i < function.siteCount; ++i) {
    const Site& site = first[i];
    if (site.kind == SiteKind::Enter)
      continue;
    hash = mix(hash, static_cast<uint64_t>(site.kind));
    hash = mix(hash, site.size);
  }
  return hash;
}

using Functions = llvm::SmallPtrSet<const llvm::Function*, 32>;

void addCallees(const llvm::Function& function, llvm::SmallVectorImpl<const llvm::Function*>& out) {
  for (const llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      if (const llvm::Function* callee = call->getCalledFunction())
        if (callee->hasLocalLinkage())
          out.push_back(callee);
}

/// Internal functions that inline functions call: they stand in headers, and each unit has a copy.
/// Which unit's copy of the inline function the linker keeps is chance, and may differ between the
/// plain and the hooked clone; so the copies of what it calls must have one identity.
Functions headerFunctions(const llvm::Module& module) {
  Functions found;
  llvm::SmallVector<const llvm::Function*, 32> work;
  for (const llvm::Function& function : module)
    if (function.hasLinkOnceODRLinkage() || function.hasWeakODRLinkage())
      addCallees(function, work);
  while (!work.empty()) {
    const llvm::Function* function = work.pop_back_val();
    if (found.insert(function).second)
      addCallees(*function, work);
  }
  return found;
}

uint64_t functionHash(const ModuleSites& sites, const FunctionSites& function,
                      const std::string& sourceFile, const Functions& inHeaders) {
  uint64_t hash = hashText(0, function.name);
  if (function.function->hasLocalLinkage() && !inHeaders.contains(function.function))
    hash = hashText(hash, sourceFile);
  return mix(hash, bodyHash(sites, function));
}

void assignOrdinals(ModuleSites& sites, const FunctionSites& function) {
  llvm::StringMap<uint32_t> seen;
  for (uint32_t i = 0; i < function.siteCount; ++i) {
    Site& site = sites.sites[function.firstSite + i];
    std::string key = std::to_string(static_cast<int>(site.kind)) + site.object;
    site.ordinal = seen[key]++;
  }
}

} // namespace

void assignIdentities(ModuleSites& sites, const llvm::Module& module) {
  Functions inHeaders = headerFunctions(module);
  for (const FunctionSites& function : sites.functions) {
    uint64_t base = functionHash(sites, function, module.getSourceFileName(), inHeaders);
    for (uint32_t i = 0; i < function.siteCount; ++i) {
      Site& site = sites.sites[function.firstSite + i];
      uint64_t identity = mix(mix(base, i), static_cast<uint64_t>(site.kind));
      site.identity = identity < kReservedIdentities ? identity + kReservedIdentities : identity;
    }
    assignOrdinals(sites, function);
  }
}

} // namespace heddle::pass
