#include "static/points_to/constraint_context.h"

#include "static/ir/standard_library.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;

namespace heddle::analysis {

ConstraintContext::ConstraintContext(const Module& module, const Models& models)
    : layout_(module.getDataLayout()), models_(models), movedFrom_(layout_),
      adjustsMembers_(adjustsMembers(module)),
      asksForTargets_(any_of(
          module, [](const Function& function) { return isFunctionTarget(function.getName()); })) {
  findCreators(module);
  DebugInfoFinder finder;
  finder.processModule(module);
  for (const DIType* type : finder.types())
    if (auto* composite = dyn_cast<DICompositeType>(type); composite && isClass(composite) &&
                                                           !composite->getIdentifier().empty() &&
                                                           !composite->isForwardDecl())
      classes_.try_emplace(composite->getIdentifier(), composite);
}

/// The access tag names the class and the offset in it; there is one from -O1 on.
MemberPlace ConstraintContext::memberOf(const Instruction& access) const {
  const MDNode* tag = access.getMetadata(LLVMContext::MD_tbaa);
  if (!tag || tag->getNumOperands() < 3)
    return {};
  auto* base = dyn_cast<MDNode>(tag->getOperand(0));
  auto* name = base && base->getNumOperands() ? dyn_cast<MDString>(base->getOperand(0)) : nullptr;
  auto* offset = mdconst::dyn_extract<ConstantInt>(tag->getOperand(2));
  if (!name || !offset)
    return {};
  auto found = classes_.find(name->getString());
  if (found == classes_.end())
    return {};
  return {found->second, static_cast<uint32_t>(offset->getZExtValue())};
}

Step ConstraintContext::step(const GEPOperator& gep) const {
  Step step = stepOf(gep, layout_);
  if (step.stride == 1 && !adjustsMembers_ && isMemberAdjustment(step.index))
    return {step.offset};
  return step;
}

void ConstraintContext::findCreators(const Module& module) {
  std::vector<const Function*> stack;
  for (const Function& function : module) {
    const ExternalModel* model = function.isDeclaration() ? models_.find(function) : nullptr;
    if (model &&
        (model->effect == Effect::ThreadCreate || model->effect == Effect::StateThreadCreate))
      stack.push_back(&function);
  }
  while (!stack.empty()) {
    const Function* function = stack.back();
    stack.pop_back();
    for (const User* user : function->users())
      if (auto* call = dyn_cast<CallBase>(user))
        if (creators_.insert(call->getFunction()).second)
          stack.push_back(call->getFunction());
  }
}

Operand ConstraintContext::constantOperand(const Constant& constant) {
  if (!carriesAddress(constant.getType()) || isa<ConstantData>(constant))
    return kNoOperand;
  auto [entry, isNew] = constantOperands_.try_emplace(&constant, kNoOperand);
  if (!isNew)
    return entry->second;
  SmallVector<ConstantAddress, 1> addresses;
  collectAddresses(constant, layout_, addresses);
  if (addresses.empty())
    return kNoOperand;
  constants_.push_back(std::move(addresses));
  return entry->second = kConstantBit | static_cast<uint32_t>(constants_.size() - 1);
}

} // namespace heddle::analysis
