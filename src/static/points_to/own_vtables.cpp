#include "static/points_to/own_vtables.h"

#include "static/points_to/receivers.h"

#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace heddle::analysis {

OwnVtables::OwnVtables(const Function& function, ConstraintContext& context)
    : function_(function), context_(context) {
  if (isStructor(function_))
    collect();
}

bool OwnVtables::isVtable(Operand source) const {
  if (!isConstant(source))
    return false;
  const auto& addresses = context_.constant(constantIndex(source));
  return addresses.size() == 1 && analysis::isVtable(*addresses[0].global);
}

/// The offset from the first parameter, if the value is that far from it.
bool OwnVtables::offsetFromThis(const Value* value, int64_t& offset) const {
  APInt bytes(64, 0);
  const Value* base = value->stripAndAccumulateConstantOffsets(context_.layout(), bytes,
                                                               /*AllowNonInbounds=*/true);
  offset = bytes.getSExtValue();
  return function_.arg_size() > 0 && base == function_.getArg(0);
}

void OwnVtables::collect() {
  for (const Instruction& instruction : instructions(function_)) {
    auto* store = dyn_cast<StoreInst>(&instruction);
    int64_t offset = 0;
    if (!store || !offsetFromThis(store->getPointerOperand(), offset))
      continue;
    auto* constant = dyn_cast<Constant>(store->getValueOperand());
    if (constant && isVtable(context_.constantOperand(*constant)))
      offsets_.push_back(offset);
  }
}

bool OwnVtables::isBaseStructor(const CallBase& call) const {
  int64_t offset = 0;
  return !offsets_.empty() && call.arg_size() > 0 &&
         offsetFromThis(call.getArgOperand(0), offset) && is_contained(offsets_, offset) &&
         isStructor(*cast<Function>(call.getCalledOperand()->stripPointerCastsAndAliases()));
}

} // namespace heddle::analysis
