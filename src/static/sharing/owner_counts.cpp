#include "static/sharing/owner_counts.h"

#include "static/ir/standard_library.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace heddle::analysis {
namespace {

/// Whether the memory order of a call's argument lets it order both what was before and what comes.
bool ordersBoth(const CallBase& call, unsigned argument) {
  constexpr uint64_t kAcquireRelease = 4; // of std::memory_order, as is 5 for seq_cst
  auto* order =
      call.arg_size() > argument ? dyn_cast<ConstantInt>(call.getArgOperand(argument)) : nullptr;
  return order && order->getZExtValue() >= kAcquireRelease;
}

/// A count of owners that is taken down by one: the count's address, and what the result is for the
/// last one.
struct Decrement {
  const Value* count = nullptr;
  uint64_t last = 0;
};

Decrement decrementOf(const Value* value) {
  auto isOne = [](const Value* number) {
    auto* constant = dyn_cast<ConstantInt>(number);
    return constant && constant->isOne();
  };
  if (auto* update = dyn_cast<AtomicRMWInst>(value))
    return update->getOperation() == AtomicRMWInst::Sub && isOne(update->getValOperand()) &&
                   isAtLeastOrStrongerThan(update->getOrdering(), AtomicOrdering::AcquireRelease)
               ? Decrement{update->getPointerOperand(), 1}
               : Decrement{};
  auto* call = dyn_cast<CallBase>(value);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  switch (callee ? atomicDecrement(callee->getName()) : AtomicDecrement::None) {
  case AtomicDecrement::None:
    return {};
  case AtomicDecrement::FetchSub:
    return isOne(call->getArgOperand(1)) && ordersBoth(*call, 2)
               ? Decrement{call->getArgOperand(0), 1}
               : Decrement{};
  case AtomicDecrement::Before:
    return {call->getArgOperand(0), 0};
  case AtomicDecrement::After:
    return {call->getArgOperand(0), 1};
  }
  return {};
}

} // namespace

const Value* countAtEnd(const BasicBlock& from, const BasicBlock& to) {
  auto* branch = dyn_cast<BranchInst>(from.getTerminator());
  auto* compare =
      branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
  auto* number = compare ? dyn_cast<ConstantInt>(compare->getOperand(1)) : nullptr;
  if (!number || !compare->isEquality() || branch->getSuccessor(0) == branch->getSuccessor(1))
    return nullptr;
  bool equal = (compare->getPredicate() == ICmpInst::ICMP_EQ) == (branch->getSuccessor(0) == &to);
  Decrement decrement = decrementOf(compare->getOperand(0));
  return equal && decrement.count && number->getZExtValue() == decrement.last ? decrement.count
                                                                              : nullptr;
}

} // namespace heddle::analysis
