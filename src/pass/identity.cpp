#include "identity.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Function.h"

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
  uint64_t hash = function.siteCount;
  for (uint32_t i = 0; i < function.siteCount; ++i) {
    const Site& site = sites.sites[function.firstSite + i];
    hash = mix(hash, static_cast<uint64_t>(site.kind));
    hash = mix(hash, site.size);
  }
  return hash;
}

uint64_t functionHash(const ModuleSites& sites, const FunctionSites& function,
                      const std::string& sourceFile) {
  uint64_t hash = hashText(0, function.name);
  if (function.function->hasLocalLinkage())
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

void assignIdentities(ModuleSites& sites, const std::string& sourceFile) {
  for (const FunctionSites& function : sites.functions) {
    uint64_t base = functionHash(sites, function, sourceFile);
    for (uint32_t i = 0; i < function.siteCount; ++i) {
      Site& site = sites.sites[function.firstSite + i];
      uint64_t identity = mix(mix(base, i), static_cast<uint64_t>(site.kind));
      site.identity = identity < kReservedIdentities ? identity + kReservedIdentities : identity;
    }
    assignOrdinals(sites, function);
  }
}

} // namespace heddle::pass
