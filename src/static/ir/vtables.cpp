#include "static/ir/vtables.h"

#include "llvm/IR/Constants.h"

using namespace llvm;

namespace heddle::analysis {
namespace {

/// The type information of an object with this vtable; null: there is none.
const GlobalVariable* typeInfoOf(const GlobalVariable& vtable) {
  auto* tables =
      vtable.hasInitializer() ? dyn_cast<ConstantStruct>(vtable.getInitializer()) : nullptr;
  auto* table = tables ? dyn_cast<ConstantArray>(tables->getOperand(0)) : nullptr;
  for (unsigned i = 0; table && i < table->getNumOperands(); ++i)
    if (auto* info = dyn_cast<GlobalVariable>(table->getOperand(i)->stripPointerCasts());
        info && info->getName().starts_with("_ZTI"))
      return info;
  return nullptr;
}

/// Whether the class is the one of this name or derived from it; true for classes that are
/// described elsewhere.
bool isDerived(const GlobalVariable& info, StringRef name) {
  if (info.getName().drop_front(4) == name || !info.hasInitializer())
    return true;
  auto* record = dyn_cast<ConstantStruct>(info.getInitializer());
  if (!record)
    return true;
  for (unsigned i = 2; i < record->getNumOperands(); ++i) // after its own vtable and name
    if (auto* base = dyn_cast<GlobalVariable>(record->getOperand(i)->stripPointerCasts());
        base && isDerived(*base, name))
      return true;
  return false;
}

} // namespace

bool Vtables::mayBeOf(const GlobalVariable& vtable, const DICompositeType& type) {
  StringRef name = type.getIdentifier();
  if (!type.getVTableHolder() || !name.consume_front("_ZTS"))
    return true;
  auto [entry, isNew] = known_.try_emplace({&vtable, &type}, true);
  if (!isNew)
    return entry->second;
  const GlobalVariable* info = typeInfoOf(vtable);
  return entry->second = !info || isDerived(*info, name);
}

} // namespace heddle::analysis
