#include "function_choice.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalIFunc.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heddle::pass {
namespace {

constexpr StringRef kIgnoreAnnotation = "heddle_ignore";

// Entries of llvm.global.annotations are { function, annotation text, file, line, arguments }.
void collectIgnored(const Module& module, std::set<const Function*>& result) {
  const GlobalVariable* annotations = module.getGlobalVariable("llvm.global.annotations");
  if (!annotations || !annotations->hasInitializer())
    return;
  for (const Use& operand : annotations->getInitializer()->operands()) {
    const auto* entry = dyn_cast<ConstantStruct>(operand);
    if (!entry || entry->getNumOperands() < 2)
      continue;
    const auto* function = dyn_cast<Function>(entry->getOperand(0)->stripPointerCasts());
    const auto* text = dyn_cast<GlobalVariable>(entry->getOperand(1)->stripPointerCasts());
    const auto* bytes = text && text->hasInitializer()
                            ? dyn_cast<ConstantDataArray>(text->getInitializer())
                            : nullptr;
    if (function && bytes && bytes->isCString() && bytes->getAsCString() == kIgnoreAnnotation)
      result.insert(function);
  }
}

bool isUntouchable(const Function& function) {
  return function.isDeclarationForLinker() || function.hasFnAttribute(Attribute::Naked) ||
         function.hasFnAttribute(Attribute::ReturnsTwice) ||
         function.hasFnAttribute(Attribute::DisableSanitizerInstrumentation);
}

// What a dispatcher's musttail call can not forward, or a clone can not have its own copy of.
bool isCloneable(const Function& function) {
  if (function.isVarArg() || function.getCallingConv() == CallingConv::X86_INTR)
    return false;
  return none_of(function, [](const BasicBlock& block) {
    return block.hasAddressTaken() || isa<IndirectBrInst, CallBrInst>(block.getTerminator());
  });
}

} // namespace

FunctionChoice::FunctionChoice(const Module& module) {
  // A resolver runs while the program is being relocated: no table of ours is there yet.
  for (const GlobalIFunc& ifunc : module.ifuncs())
    untouched_.insert(ifunc.getResolverFunction());
  collectIgnored(module, untouched_);
}

std::optional<Treatment> FunctionChoice::treatment(const Function& function) const {
  if (isUntouchable(function) || untouched_.count(&function))
    return std::nullopt;
  return isCloneable(function) ? Treatment::Versioned : Treatment::Single;
}

} // namespace heddle::pass
