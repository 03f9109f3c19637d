#include "static/ir/addresses.h"

#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <numeric>

using namespace llvm;

namespace heddle::analysis {

bool carriesAddress(Type* type) {
  if (type->isPointerTy() || type->isIntegerTy(64) || type->isIntegerTy(32))
    return true;
  if (auto* structure = dyn_cast<StructType>(type))
    return any_of(structure->elements(), carriesAddress);
  if (auto* array = dyn_cast<ArrayType>(type))
    return carriesAddress(array->getElementType());
  return false;
}

bool isVtable(const GlobalValue& global) {
  return global.getName().starts_with("_ZTV") || global.getName().starts_with("_ZTC");
}

bool hasBody(const Function& function) {
  return !function.isDeclaration() && !function.hasAvailableExternallyLinkage();
}

namespace {

void addStride(Step& step, uint64_t stride, uint64_t extent) {
  if (stride == 0)
    return;
  if (step.stride == 0) {
    step.stride = stride;
    step.extent = extent;
    return;
  }
  step.stride = std::gcd<uint64_t, uint64_t>(step.stride, stride);
  step.extent = std::max<uint64_t>(step.extent, extent);
}

/// Whether a pointer goes round a loop by this step: p = phi(start, gep p, n).
bool isLoopStep(const GEPOperator& gep) {
  auto* phi = dyn_cast<PHINode>(gep.getPointerOperand());
  return phi && is_contained(phi->incoming_values(), &gep);
}

/// Whether a constant step can be taken again and again: what it leads to is kept or handed back.
/// An element that is only used or passed on is one and the same.
bool canRepeat(const Value& address, unsigned depth = 0) {
  return any_of(address.users(), [&](const User* user) {
    if (isa<LoadInst>(user) || isa<ICmpInst>(user) || isa<AtomicRMWInst>(user))
      return false;
    if (auto* store = dyn_cast<StoreInst>(user))
      return store->getValueOperand() == &address;
    if (auto* call = dyn_cast<CallBase>(user))
      return call->getCalledFunction() == nullptr ||
             call->getCalledFunction() == call->getFunction();
    return !isa<GEPOperator>(user) || depth > 4 || canRepeat(*user, depth + 1);
  });
}

} // namespace

Step stepOf(const GEPOperator& gep, const DataLayout& layout) {
  Step step;
  Type* type = nullptr; // what the next index chooses from; null: a row of source elements
  for (auto it = gep_type_begin(gep), end = gep_type_end(gep); it != end; ++it) {
    auto* constant = dyn_cast<ConstantInt>(it.getOperand());
    if (StructType* structure = it.getStructTypeOrNull()) {
      step.offset += layout.getStructLayout(structure)->getElementOffset(constant->getZExtValue());
      type = it.getIndexedType();
      continue;
    }
    uint64_t size = it.getSequentialElementStride(layout).getFixedValue();
    auto* array = dyn_cast_or_null<ArrayType>(type);
    // A constant number of elements from a pointer is a walk through an array, except for bytes,
    // which are what clang uses for base classes: only a single one is a walk.
    bool single = constant && (constant->isOne() || constant->isMinusOne());
    bool walk = !type && constant && !constant->isZero() &&
                (size != 1 || single || isLoopStep(gep)) &&
                (constant->isNegative() || canRepeat(gep));
    if (constant && !walk) {
      step.offset += constant->getSExtValue() * static_cast<int64_t>(size);
    } else {
      step.index = step.stride || constant ? nullptr : it.getOperand();
      step.backward |= constant && constant->isNegative();
      addStride(step, size, array ? array->getNumElements() * size : 0);
    }
    type = it.getIndexedType();
  }
  return step;
}

bool isMemberAdjustment(const Value* index) {
  auto* part = dyn_cast_or_null<ExtractValueInst>(index);
  auto* pair = part ? dyn_cast<StructType>(part->getAggregateOperand()->getType()) : nullptr;
  return pair && pair->getNumElements() == 2 && part->getIndices()[0] == 1 &&
         pair->getElementType(0)->isIntegerTy(64) && pair->getElementType(1)->isIntegerTy(64);
}

namespace {

/// {function, adjustment} with something to adjust, also inside of larger constants.
bool hasAdjustment(const Constant& constant) {
  auto* structure = dyn_cast<ConstantStruct>(&constant);
  auto* bytes = structure && structure->getNumOperands() == 2
                    ? dyn_cast<ConstantInt>(structure->getOperand(1))
                    : nullptr;
  if (bytes && !bytes->isZero() && isa<ConstantExpr>(structure->getOperand(0)))
    return true;
  return isa<ConstantAggregate>(constant) && any_of(constant.operands(), [](const Use& part) {
           return hasAdjustment(*cast<Constant>(part.get()));
         });
}

} // namespace

bool adjustsMembers(const Module& module) {
  for (const GlobalVariable& variable : module.globals())
    if (variable.hasInitializer() && hasAdjustment(*variable.getInitializer()))
      return true;
  for (const Function& function : module)
    for (const Instruction& instruction : instructions(function)) {
      // A conversion to a pointer to a member of a derived class.
      if (isa<BinaryOperator>(instruction) && isMemberAdjustment(instruction.getOperand(0)))
        return true;
      for (const Use& operand : instruction.operands())
        if (auto* constant = dyn_cast<Constant>(operand); constant && hasAdjustment(*constant))
          return true;
    }
  return false;
}

void collectAddresses(const Constant& constant, const DataLayout& layout,
                      SmallVectorImpl<ConstantAddress>& out) {
  APInt bytes(64, 0);
  const Value* base = constant.stripPointerCasts();
  if (auto* expression = dyn_cast<ConstantExpr>(base)) {
    if (expression->getOpcode() == Instruction::GetElementPtr) {
      auto& gep = cast<GEPOperator>(*expression);
      SmallVector<ConstantAddress, 1> bases;
      collectAddresses(*cast<Constant>(gep.getPointerOperand()), layout, bases);
      APInt offset(64, 0);
      if (!gep.accumulateConstantOffset(layout, offset))
        return;
      for (ConstantAddress& address : bases) {
        address.step.offset += offset.getSExtValue();
        out.push_back(address);
      }
      return;
    }
    for (const Use& operand : expression->operands())
      collectAddresses(*cast<Constant>(operand.get()), layout, out);
    return;
  }
  if (auto* alias = dyn_cast<GlobalAlias>(base)) {
    collectAddresses(*alias->getAliasee(), layout, out);
    return;
  }
  if (auto* global = dyn_cast<GlobalValue>(base)) {
    out.push_back({global, {}});
    return;
  }
  if (isa<ConstantAggregate>(base))
    for (const Use& operand : cast<Constant>(base)->operands())
      collectAddresses(*cast<Constant>(operand.get()), layout, out);
}

} // namespace heddle::analysis
