#include "call_graph.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace heddle::pass {

Function* directCallee(const CallBase& call) {
  const Value* target = call.getCalledOperand()->stripPointerCasts();
  if (const auto* alias = dyn_cast<GlobalAlias>(target))
    target = alias->isInterposable() ? nullptr : alias->getAliaseeObject();
  const auto* function = dyn_cast_or_null<Function>(target);
  if (!function || function->getFunctionType() != call.getFunctionType())
    return nullptr;
  return const_cast<Function*>(function);
}

Function* ownCallee(const CallBase& call) {
  Function* callee = directCallee(call);
  if (!callee || callee->isDeclarationForLinker() || callee->isInterposable())
    return nullptr;
  return callee->getCallingConv() == call.getCallingConv() ? callee : nullptr;
}

void connectCallees(ModuleSites& sites) {
  DenseMap<const Function*, uint32_t> indexOf;
  for (uint32_t i = 0; i < sites.functions.size(); ++i)
    if (sites.functions[i].treatment == Treatment::Versioned)
      indexOf[sites.functions[i].function] = i;

  for (FunctionSites& caller : sites.functions) {
    if (caller.treatment != Treatment::Versioned)
      continue;
    SetVector<uint32_t> callees;
    for (const Instruction& instruction : instructions(*caller.function)) {
      const auto* call = dyn_cast<CallBase>(&instruction);
      auto found = call ? indexOf.find(ownCallee(*call)) : indexOf.end();
      if (found != indexOf.end())
        callees.insert(found->second);
    }
    caller.callees.assign(callees.begin(), callees.end());
  }
}

} // namespace heddle::pass
