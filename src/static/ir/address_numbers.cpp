#include "static/ir/address_numbers.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace heddle::analysis {
namespace {

// A program that keeps bits in its addresses takes them out with few operations.
constexpr unsigned kMaxOperations = 4;

bool becomesAddress(const Value& value, unsigned operations) {
  return operations < kMaxOperations &&
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

} // namespace heddle::analysis
