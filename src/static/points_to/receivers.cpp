#include "static/points_to/receivers.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;

namespace heddle::analysis {

bool isStructor(const Function& function) {
  StringRef name = function.getName();
  if (!name.starts_with("_ZN"))
    return false;
  ItaniumPartialDemangler demangler;
  std::string text = name.split('.').first.str(); // the linker's suffixes
  if (demangler.partialDemangle(text.c_str()))
    return false;
  return demangler.isCtorOrDtor();
}

bool findReceiver(const Function& function, uint32_t& receiver) {
  receiver = function.hasStructRetAttr() ? 1 : 0;
  if (function.arg_size() <= receiver || function.isVarArg())
    return false;
  if (!function.getArg(receiver)->getType()->isPointerTy())
    return false;
  if (const DISubprogram* subprogram = function.getSubprogram()) {
    const DISubprogram* declaration =
        subprogram->getDeclaration() ? subprogram->getDeclaration() : subprogram;
    if (auto* types = declaration->getType()) {
      auto array = types->getTypeArray();
      if (array.size() < 2)
        return false;
      auto* self = dyn_cast_or_null<DIDerivedType>(array[1]);
      return self && self->isObjectPointer();
    }
  }
  StringRef name = function.getName();
  if (name.starts_with("_ZNK"))
    return true;
  // Without debug information: a nested name whose first parameter cannot be null.
  return name.starts_with("_ZN") && function.hasParamAttribute(receiver, Attribute::NonNull) &&
         function.hasParamAttribute(receiver, Attribute::Dereferenceable);
}

} // namespace heddle::analysis
