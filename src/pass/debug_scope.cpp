#include "debug_scope.h"

#include "model/library_paths.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace heddle::pass {
namespace {

// clang splits a path into directory and file where it has a common prefix with the working
// directory. A path below the working directory stays relative, as the user knows it.
std::string pathOf(const DIFile* file, const DISubprogram* function) {
  if (!file)
    return "";
  SmallString<128> path(file->getFilename());
  const DICompileUnit* unit = function ? function->getUnit() : nullptr;
  bool inWorkingDirectory = unit && unit->getDirectory() == file->getDirectory();
  if (!sys::path::is_absolute(path) && !inWorkingDirectory && !file->getDirectory().empty()) {
    path = file->getDirectory();
    sys::path::append(path, file->getFilename());
  }
  if (sys::path::is_absolute(path))
    sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return std::string(path);
}

std::string inlineChain(const DILocation* location, const DISubprogram* function) {
  std::string chain;
  for (location = location->getInlinedAt(); location; location = location->getInlinedAt()) {
    if (!chain.empty())
      chain += ';';
    chain += pathOf(location->getFile(), function) + ':' + std::to_string(location->getLine()) +
             ':' + std::to_string(location->getColumn());
  }
  return chain;
}

bool isInlineNamespace(const DIScope* scope) {
  const auto* space = dyn_cast<DINamespace>(scope);
  return space && (space->getExportSymbols() || space->getName().empty());
}

std::string scopeName(const DIScope* scope) {
  StringRef name = scope->getName();
  if (!name.empty())
    return name.str();
  const auto* type = dyn_cast<DICompositeType>(scope);
  if (type && type->getIdentifier().contains("Ul")) // the mangled name of a closure type
    return "(lambda)";
  return type ? "(unnamed)" : "";
}

} // namespace

SourcePlace sourcePlace(const Instruction& instruction) {
  SourcePlace place;
  const DISubprogram* function = instruction.getFunction()->getSubprogram();
  const DILocation* location = instruction.getDebugLoc();
  if (location && location->getLine() != 0) {
    place.file = pathOf(location->getFile(), function);
    place.line = location->getLine();
    place.column = location->getColumn();
    place.inlinedAt = inlineChain(location, function);
  } else if (function) {
    place.file = pathOf(function->getFile(), function);
    place.line = function->getLine();
  }
  place.inLibrary = isLibraryPath(place.file);
  return place;
}

std::string qualifiedName(const DIScope* scope) {
  std::string name;
  for (; scope && !isa<DIFile>(scope) && !isa<DICompileUnit>(scope); scope = scope->getScope()) {
    if (isInlineNamespace(scope) || isa<DILexicalBlockBase>(scope))
      continue;
    std::string part = scopeName(scope);
    if (part.empty())
      continue;
    name = name.empty() ? part : part + "::" + name;
  }
  return name;
}

std::string displayName(const Function& function) {
  const DISubprogram* subprogram = function.getSubprogram();
  return subprogram ? qualifiedName(subprogram) : "";
}

} // namespace heddle::pass
