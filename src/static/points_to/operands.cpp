#include "static/points_to/operands.h"

#include "static/ir/address_numbers.h"
#include "static/ir/addresses.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace heddle::analysis {
namespace {

const Value* passedThrough(const CallInst& call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::launder_invariant_group:
  case Intrinsic::strip_invariant_group:
  case Intrinsic::threadlocal_address:
  case Intrinsic::ptr_annotation:
  case Intrinsic::ssa_copy:
  case Intrinsic::expect:
    return call.getArgOperand(0);
  default:
    return nullptr;
  }
}

/// Whether a word is loaded to be stored elsewhere and for nothing else: a copy of memory, which
/// says nothing of what it is. Constructors copy members that others take for addresses.
bool isPassedOn(const Value& value) {
  auto* load = dyn_cast<LoadInst>(&value);
  return load && load->getType()->isIntegerTy(64) && !load->use_empty() &&
         all_of(load->users(), [&](const User* user) {
           auto* store = dyn_cast<StoreInst>(user);
           return store && store->getValueOperand() == load;
         });
}

/// Adds to the contents which variables are numbers. Integers hold addresses only where the
/// function turns one into the other.
void findNumbers(FunctionConstraints& body) {
  bool converts = any_of(instructions(*body.function), [](const Instruction& each) {
    return isa<IntToPtrInst>(each) || isa<PtrToIntInst>(each);
  });
  auto isNumber = [&](const Type* type) {
    return type->isIntegerTy(32) || (type->isIntegerTy(64) && !converts);
  };
  std::vector<bool> others(body.variables);
  for (auto [value, operand] : body.operands)
    if (isVariable(operand) && (!isNumber(value->getType()) || isPassedOn(*value)))
      others[operand] = true;
  if (body.result != kNoOperand && !isNumber(body.function->getReturnType()))
    others[body.result] = true;
  for (auto [value, operand] : body.operands)
    if (isVariable(operand) && !others[operand]) {
      others[operand] = true;
      body.contents.push_back({operand, {CellContent::Kind::Number}});
    }
  if (body.result != kNoOperand && !others[body.result])
    body.contents.push_back({body.result, {CellContent::Kind::Number}});
}

} // namespace

Operand Operands::newVariable(const Value* value) {
  Operand variable = body_.variables++;
  operands_[value] = variable;
  return variable;
}

Operand Operands::of(const Value* value) {
  if (auto* constant = dyn_cast<Constant>(value))
    return context_.constantOperand(*constant);
  auto found = operands_.find(value);
  if (found != operands_.end())
    return found->second;
  auto* instruction = dyn_cast<Instruction>(value);
  if (!instruction || !carriesAddress(value->getType()))
    return kNoOperand;
  Operand operand = definedBy(*instruction);
  operands_[value] = operand;
  return operand;
}

/// Instructions that pass a value on share its variable; others get one of their own.
Operand Operands::definedBy(const Instruction& instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::BitCast:
  case Instruction::AddrSpaceCast:
  case Instruction::IntToPtr:
  case Instruction::PtrToInt:
  case Instruction::Freeze:
  case Instruction::SExt:
  case Instruction::ZExt:
  case Instruction::Trunc:
    return of(instruction.getOperand(0));
  case Instruction::GetElementPtr: {
    auto& gep = cast<GEPOperator>(instruction);
    return context_.step(gep).isZero() ? of(gep.getPointerOperand()) : body_.variables++;
  }
  case Instruction::Call:
    if (const Value* passed = passedThrough(cast<CallInst>(instruction)))
      return of(passed);
    return body_.variables++;
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
    if (isAddressNumber(instruction.getOperand(0)))
      return of(instruction.getOperand(0)); // bits that are not used in an address
    [[fallthrough]];
  case Instruction::Add:
  case Instruction::Sub:
    return isa<ConstantInt>(instruction.getOperand(1)) &&
                   (isAddressNumber(instruction.getOperand(0)) || becomesAddress(instruction))
               ? of(instruction.getOperand(0))
               : kNoOperand;
  case Instruction::Alloca:
  case Instruction::Load:
  case Instruction::PHI:
  case Instruction::Select:
  case Instruction::Invoke:
  case Instruction::ExtractValue:
  case Instruction::InsertValue:
  case Instruction::AtomicRMW:
  case Instruction::AtomicCmpXchg:
  case Instruction::LandingPad:
    return body_.variables++;
  default:
    return kNoOperand; // arithmetic
  }
}

/// Constraints are many and mostly small: what they keep takes no more room than it needs.
void Operands::finish() {
  body_.operands.assign(operands_.begin(), operands_.end());
  std::sort(body_.operands.begin(), body_.operands.end());
  findNumbers(body_);
}

} // namespace heddle::analysis
