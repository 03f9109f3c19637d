#include "kept_calls.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heddle::pass {
namespace {

constexpr StringRef kReallocations[] = {"realloc", "reallocarray"};

/// An empty piece of assembly that looks at the value: no instruction, but one use more.
void addUse(CallInst& call) {
  IRBuilder<> builder(call.getNextNode());
  auto* type = FunctionType::get(builder.getVoidTy(), {call.getType()}, /*isVarArg=*/false);
  builder.CreateCall(InlineAsm::get(type, "", "r", /*hasSideEffects=*/true), {&call});
}

} // namespace

void keepReallocations(Module& module) {
  for (StringRef name : kReallocations) {
    Function* function = module.getFunction(name);
    if (!function || !function->getReturnType()->isPointerTy())
      continue;
    for (User* user : function->users())
      if (auto* call = dyn_cast<CallInst>(user);
          call && call->getCalledFunction() == function && !call->isMustTailCall())
        addUse(*call);
  }
}

} // namespace heddle::pass
