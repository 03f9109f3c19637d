#include "function_choice.h"

#include "annotated_functions.h"

#include "llvm/IR/GlobalIFunc.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heddle::pass {
namespace {

constexpr StringRef kIgnoreAnnotation = "heddle_ignore";

bool isUntouchable(const Function& function) {
  return function.isDeclarationForLinker() || function.hasFnAttribute(Attribute::Naked) ||
         function.hasFnAttribute(Attribute::ReturnsTwice) ||
         function.hasFnAttribute(Attribute::DisableSanitizerInstrumentation);
}

// What a dispatcher's musttail call cannot forward, or a clone cannot have its own copy of.
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
  eachAnnotation(module, [&](const Function& function, StringRef text) {
    if (text == kIgnoreAnnotation)
      untouched_.insert(&function);
  });
}

std::optional<Treatment> FunctionChoice::treatment(const Function& function) const {
  if (isUntouchable(function) || untouched_.count(&function))
    return std::nullopt;
  return isCloneable(function) ? Treatment::Versioned : Treatment::Single;
}

} // namespace heddle::pass
