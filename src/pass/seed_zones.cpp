#include "seed_zones.h"

#include "debug_scope.h"

#include "model/library_paths.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace heddle::pass {
namespace {

constexpr const char* kEverything = "*";

/// Test frameworks that a build has fetched, and not the system.
bool isFramework(StringRef path) {
  return path.contains("/googletest/") || path.contains("/gtest/") || path.contains("/gmock/") ||
         path.contains("/catch2/") || path.ends_with("/catch.hpp");
}

} // namespace

std::string pathOf(const DIFile* file) {
  if (!file)
    return "";
  SmallString<128> path(file->getFilename());
  if (!sys::path::is_absolute(path) && !file->getDirectory().empty()) {
    path = file->getDirectory();
    sys::path::append(path, file->getFilename());
  }
  return std::string(path);
}

bool isContainerName(const std::string& name) {
  constexpr StringRef starts[] = {"std::vector<",       "std::deque<",    "std::list<",
                                  "std::forward_list<", "std::map<",      "std::multimap<",
                                  "std::set<",          "std::multiset<", "std::unordered_"};
  return any_of(starts, [&](StringRef start) { return StringRef(name).starts_with(start); });
}

bool SeedZones::isTest(const DISubprogram& function) {
  StringRef name = function.getName();
  return name == "main" || name == "TestBody" || name.starts_with("CATCH2_INTERNAL_TEST_") ||
         name.starts_with("C_A_T_C_H_T_E_S_T_") || name.starts_with("____C_A_T_C_H____");
}

SeedZones::SeedZones(const Module& module, std::vector<std::string> own) : own_(std::move(own)) {
  for (const Function& function : module)
    if (const DISubprogram* subprogram = function.getSubprogram();
        subprogram && !function.isDeclaration() && isTest(*subprogram))
      testFiles_.insert(pathOf(subprogram->getFile()));
}

bool SeedZones::isOwn(const DISubprogram* function, const std::string& path) const {
  std::string name = qualifiedName(function);
  return any_of(own_, [&](const std::string& one) {
    if (one == kEverything)
      return !isLibraryPath(path) && !isFramework(path) && !testFiles_.count(path);
    StringRef scope = one;
    if (scope.consume_front("::"))
      return StringRef(name).starts_with(scope) &&
             (StringRef(name).substr(scope.size()).starts_with("::") ||
              StringRef(name).substr(scope.size()).starts_with("<"));
    return StringRef(path).contains(one);
  });
}

Zone SeedZones::zoneOf(const DISubprogram* function) const {
  if (!function)
    return Zone::System;
  std::string path = pathOf(function->getFile());
  if (!isTest(*function) && isOwn(function, path))
    return Zone::Library;
  if (!isLibraryPath(path) && !isFramework(path))
    return Zone::Client;
  const auto* scope = dyn_cast_or_null<DICompositeType>(function->getScope());
  bool member = scope && isContainerName(qualifiedName(scope)) &&
                !(function->getFlags() & DINode::FlagStaticMember);
  return member ? Zone::Container : Zone::System;
}

} // namespace heddle::pass
