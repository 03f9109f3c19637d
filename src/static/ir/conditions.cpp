#include "static/ir/conditions.h"

#include "llvm/IR/Constants.h"

using namespace llvm;

namespace heddle::analysis {
namespace {

constexpr unsigned kDeepest = 8;

Outcome follow(const Value* condition, unsigned depth);

Outcome negated(Outcome outcome) {
  std::swap(outcome.ifTrue, outcome.ifFalse);
  outcome.whenZero = !outcome.whenZero;
  return outcome;
}

Outcome ofComparison(const ICmpInst& compare, unsigned depth) {
  auto* constant = dyn_cast<ConstantInt>(compare.getOperand(1));
  if (!constant)
    return {};
  Outcome outcome = follow(compare.getOperand(0), depth);
  bool equal = compare.getPredicate() == ICmpInst::ICMP_EQ;
  if (compare.isEquality() && constant->isZero())
    return equal ? negated(outcome) : outcome;
  if (compare.isEquality()) {
    // Equal to something else than zero is not zero. The other way round it could be anything,
    // except for a bool.
    bool isBool = outcome.source && outcome.source->getType()->getScalarSizeInBits() <= 8;
    outcome.ifFalse = outcome.ifFalse && constant->isOne() && isBool;
    return equal ? outcome : negated(outcome);
  }
  bool above = compare.getPredicate() == ICmpInst::ICMP_UGT ||
               (compare.getPredicate() == ICmpInst::ICMP_SGT && !constant->isNegative());
  if (!above)
    return {};
  outcome.ifFalse = outcome.ifFalse && constant->isZero() && compare.isUnsigned();
  return outcome;
}

/// `a && b` and `a || b`: a constant on all ways but one.
Outcome ofChoice(const PHINode& phi, unsigned depth) {
  const Value* only = nullptr;
  bool zeroes = false, ones = false;
  for (const Value* incoming : phi.incoming_values()) {
    if (auto* constant = dyn_cast<ConstantInt>(incoming)) {
      (constant->isZero() ? zeroes : ones) = true;
      continue;
    }
    if (only)
      return {};
    only = incoming;
  }
  if (!only)
    return {};
  Outcome outcome = follow(only, depth);
  outcome.ifFalse = outcome.ifFalse && !zeroes;
  outcome.ifTrue = outcome.ifTrue && !ones;
  return outcome;
}

Outcome follow(const Value* condition, unsigned depth) {
  if (depth > kDeepest)
    return {};
  if (isa<CallBase>(condition) || isa<LoadInst>(condition) || isa<AtomicRMWInst>(condition))
    return {cast<Instruction>(condition)};
  if (auto* part = dyn_cast<ExtractValueInst>(condition)) {
    auto* exchange = dyn_cast<AtomicCmpXchgInst>(part->getAggregateOperand());
    return exchange && part->getIndices()[0] == 1 ? Outcome{exchange} : Outcome{};
  }
  if (isa<CastInst>(condition) || isa<FreezeInst>(condition))
    return follow(cast<Instruction>(condition)->getOperand(0), depth + 1);
  if (auto* compare = dyn_cast<ICmpInst>(condition))
    return ofComparison(*compare, depth + 1);
  if (auto* phi = dyn_cast<PHINode>(condition))
    return ofChoice(*phi, depth + 1);
  auto* operation = dyn_cast<BinaryOperator>(condition);
  if (operation && operation->getOpcode() == Instruction::Xor)
    if (auto* constant = dyn_cast<ConstantInt>(operation->getOperand(1));
        constant && constant->isOne())
      return negated(follow(operation->getOperand(0), depth + 1));
  return {};
}

} // namespace

Outcome outcomeOf(const Value* condition) { return follow(condition, 0); }

} // namespace heddle::analysis
