#include "seen_functions.h"

#include "../model/site_table.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace heddle::pass {
namespace {

/// In the names of clones, which are known by it.
constexpr StringRef kCloneMark = ".hd.";

bool isNamed(const Function& function) {
  return !function.isDeclarationForLinker() && !function.getName().contains(kCloneMark);
}

GlobalVariable* addNames(Module& module, StringRef names) {
  Constant* bytes = ConstantDataArray::getString(module.getContext(), names, /*AddNull=*/false);
  auto* global = new GlobalVariable(module, bytes->getType(), /*isConstant=*/true,
                                    GlobalValue::PrivateLinkage, bytes, "heddle.seen");
  global->setSection(kSeenSection);
  global->setAlignment(Align(1)); // the linker joins them without gaps
  return global;
}

} // namespace

void recordSeenFunctions(Module& module) {
  std::string names;
  SmallVector<GlobalValue*, 32> records;
  for (const Function& function : module) {
    if (!isNamed(function))
      continue;
    std::string name = function.getName().str() + '\0';
    if (!function.hasComdat()) {
      names += name;
      continue;
    }
    GlobalVariable* record = addNames(module, name);
    record->setComdat(const_cast<Comdat*>(function.getComdat()));
    records.push_back(record);
  }
  if (!names.empty())
    records.push_back(addNames(module, names));
  if (!records.empty())
    appendToUsed(module, records);
}

} // namespace heddle::pass
