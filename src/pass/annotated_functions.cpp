#include "annotated_functions.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace heddle::pass {

void eachAnnotation(const Module& module, function_ref<void(const Function&, StringRef)> visit) {
  const GlobalVariable* annotations = module.getGlobalVariable("llvm.global.annotations");
  if (!annotations || !annotations->hasInitializer())
    return;
  // Entries are { function, annotation text, file, line, arguments }.
  for (const Use& operand : annotations->getInitializer()->operands()) {
    const auto* entry = dyn_cast<ConstantStruct>(operand);
    if (!entry || entry->getNumOperands() < 2)
      continue;
    const auto* function = dyn_cast<Function>(entry->getOperand(0)->stripPointerCasts());
    StringRef text;
    if (function && getConstantStringInfo(entry->getOperand(1), text))
      visit(*function, text);
  }
}

} // namespace heddle::pass
