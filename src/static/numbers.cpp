#include "static/numbers.h"

#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace heddle::analysis {
namespace {

// A program that keeps bits in its addresses takes them out with few operations.
constexpr unsigned kMostOperations = 4;

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

bool becomesAddress(const Value& value, unsigned operations) {
  return operations < kMostOperations &&
         any_of(
             value.users(),
             [&](const User* user) {
               return isa<IntToPtrInst>(user) ||
                      (isa<BinaryOperator>(user) && isa<ConstantInt>(user->getOperand(1)) &&
                       becomesAddress(*user, operations + 1));
             });
}

} // namespace

bool isAddressNumber(const Value* value) {
  return isa<PtrToIntInst>(value) || (isa<BinaryOperator>(value) &&
                                      isAddressNumber(cast<BinaryOperator>(value)->getOperand(0)));
}

bool becomesAddress(const Value& value) { return becomesAddress(value, 0); }

void findNumbers(Body& body) {
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

} // namespace heddle::analysis
