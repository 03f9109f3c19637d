#include "static/ir/address_uses.h"

#include "llvm/IR/GlobalAlias.h"

using namespace llvm;

namespace heddle::analysis {

bool holdsPointer(const Type* type) {
  if (type->isPtrOrPtrVectorTy())
    return true;
  return any_of(type->subtypes(), holdsPointer);
}

bool isOnlyMeasured(const Value& address) {
  return all_of(address.users(), [](const User* user) {
    auto* difference = dyn_cast<BinaryOperator>(user);
    return isa<ICmpInst>(user) || (isa<PtrToIntInst>(user) && isOnlyMeasured(*user)) ||
           (difference && difference->getOpcode() == Instruction::Sub &&
            isa<PtrToIntInst>(difference->getOperand(0)) &&
            isa<PtrToIntInst>(difference->getOperand(1)));
  });
}

bool isHarmless(const IntrinsicInst& intrinsic) {
  switch (intrinsic.getIntrinsicID()) {
  case Intrinsic::memset:
  case Intrinsic::memset_inline:
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::invariant_start:
  case Intrinsic::invariant_end:
  case Intrinsic::assume:
  case Intrinsic::objectsize:
  case Intrinsic::prefetch:
  case Intrinsic::stackrestore:
  case Intrinsic::eh_typeid_for:
    return true;
  default:
    return intrinsic.isAssumeLikeIntrinsic() &&
           none_of(intrinsic.args(), [](const Use& use) { return holdsPointer(use->getType()); });
  }
}

bool isPassedThrough(const IntrinsicInst& intrinsic) {
  switch (intrinsic.getIntrinsicID()) {
  case Intrinsic::launder_invariant_group:
  case Intrinsic::strip_invariant_group:
  case Intrinsic::threadlocal_address:
  case Intrinsic::ptr_annotation:
  case Intrinsic::ssa_copy:
  case Intrinsic::expect:
    return true;
  default:
    return false;
  }
}

bool Outsiders::mayCall(const Function& function) const {
  return (assembles_ && !function.hasLocalLinkage()) || !isOnlyCalled(function);
}

bool Outsiders::mayUse(const GlobalValue& global) const {
  return !global.hasLocalLinkage() && exported_.contains(global.getName().str());
}

bool Outsiders::isOnlyCalled(const GlobalValue& value) const {
  return !mayUse(value) && all_of(value.uses(), [&](const Use& use) {
    if (auto* call = dyn_cast<CallBase>(use.getUser()))
      return call->isCallee(&use);
    auto* alias = dyn_cast<GlobalAlias>(use.getUser());
    return alias && isOnlyCalled(*alias);
  });
}

} // namespace heddle::analysis
