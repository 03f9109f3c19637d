#include "static/ir/value_accesses.h"

#include "static/ir/addresses.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace heddle::analysis {
namespace {

constexpr unsigned kDeepest = 8;           // wrappers in wrappers
constexpr unsigned kMaxInstructions = 200; // of a wrapper

const Value* withoutCasts(const Value* value) {
  while (isa<CastInst>(value) || isa<FreezeInst>(value))
    value = cast<Instruction>(value)->getOperand(0);
  return value;
}

/// What the value says of another one, as far as it matters here: whether it is zero.
const Value* withoutTest(const Value* value) {
  value = withoutCasts(value);
  auto* test = dyn_cast<ICmpInst>(value);
  if (!test || test->getPredicate() != CmpInst::ICMP_NE)
    return value;
  auto* zero = dyn_cast<ConstantInt>(test->getOperand(1));
  return zero && zero->isZero() ? withoutCasts(test->getOperand(0)) : value;
}

/// What was put into a local variable just before, in the same block.
const Value* storedBefore(const Instruction& at, const AllocaInst& local) {
  for (const Instruction* each = at.getPrevNode(); each; each = each->getPrevNode()) {
    if (auto* store = dyn_cast<StoreInst>(each);
        store && store->getPointerOperand()->stripPointerCasts() == &local)
      return withoutCasts(store->getValueOperand());
    if (auto* call = dyn_cast<CallBase>(each); call && !isa<IntrinsicInst>(call))
      return nullptr;
  }
  return nullptr;
}

/// A compare-exchange's expected value is usually kept in a variable.
void findExpected(ValueAccess& access, const Instruction& by) {
  if (access.kind != ValueAccessKind::CompareExchange)
    return;
  if (!access.expectedAt)
    if (auto* load = dyn_cast_or_null<LoadInst>(access.expected))
      access.expectedAt = load->getPointerOperand()->stripPointerCasts();
  if (auto* local = dyn_cast_or_null<AllocaInst>(access.expectedAt)) {
    access.expected = storedBefore(by, *local);
    access.expectedAt = nullptr;
  }
}

AtomicOrdering weaker(AtomicOrdering one, AtomicOrdering other) {
  if (isAtLeastOrStrongerThan(one, other))
    return other;
  return isAtLeastOrStrongerThan(other, one) ? one : AtomicOrdering::Monotonic;
}

} // namespace

bool ValueAccess::writesZero() const {
  auto* constant = dyn_cast_or_null<ConstantInt>(written);
  return isWrite() && kind != ValueAccessKind::Update && constant && constant->isZero();
}

bool ValueAccess::writesNonZero() const {
  auto* constant = dyn_cast_or_null<ConstantInt>(written);
  return isWrite() && kind != ValueAccessKind::Update && constant && !constant->isZero();
}

/// What a function does, with the given arguments.
struct ValueAccesses::Summary {
  bool plain = false; ///< it is understood
  std::optional<ValueAccess> access;
};

class ValueAccesses::Evaluation {
public:
  Evaluation(ValueAccesses& valueAccesses, const Function& function,
             ArrayRef<const Value*> arguments, unsigned depth)
      : valueAccesses_(valueAccesses), function_(function), arguments_(arguments), depth_(depth) {}

  Summary run() {
    if (!hasBody(function_) || function_.isVarArg() || depth_ > kDeepest ||
        function_.getInstructionCount() > kMaxInstructions || !walk(function_.getEntryBlock()))
      return {};
    return summarize();
  }

private:
  enum class Mark : uint8_t { Open, Done };

  /// The value as the caller knows it, without conversions: only whether it is zero matters.
  const Value* resolve(const Value* value) const {
    value = withoutCasts(value);
    if (auto* argument = dyn_cast<Argument>(value))
      return argument->getArgNo() < arguments_.size()
                 ? withoutCasts(arguments_[argument->getArgNo()])
                 : nullptr;
    return isa<ConstantInt>(value) ? value : nullptr;
  }

  /// False when there is a loop or something that is not understood.
  bool walk(const BasicBlock& block) {
    auto [mark, isNew] = marks_.try_emplace(&block, Mark::Open);
    if (!isNew)
      return mark->second == Mark::Done;
    for (const Instruction& instruction : block)
      if (!visit(instruction))
        return false;
    SmallVector<const BasicBlock*, 4> next;
    chosen(*block.getTerminator(), next);
    for (const BasicBlock* each : next)
      if (!walk(*each))
        return false;
    marks_[&block] = Mark::Done;
    return true;
  }

  /// Where the terminator leads, as far as the arguments say.
  void chosen(const Instruction& end, SmallVectorImpl<const BasicBlock*>& next) const {
    if (auto* invoke = dyn_cast<InvokeInst>(&end)) {
      next.push_back(invoke->getNormalDest());
      return;
    }
    if (auto* choice = dyn_cast<SwitchInst>(&end))
      if (auto* value = dyn_cast_or_null<ConstantInt>(resolve(choice->getCondition()));
          value && value->getType() == choice->getCondition()->getType()) {
        next.push_back(choice->findCaseValue(value)->getCaseSuccessor());
        return;
      }
    for (unsigned i = 0; i < end.getNumSuccessors(); ++i)
      next.push_back(end.getSuccessor(i));
  }

  bool visit(const Instruction& instruction) {
    if (auto* end = dyn_cast<ReturnInst>(&instruction)) {
      returns_.push_back(end->getReturnValue());
      return true;
    }
    if (auto* call = dyn_cast<CallBase>(&instruction))
      return visitCall(*call);
    if (!instruction.mayReadOrWriteMemory())
      return true;
    std::optional<ValueAccess> access = valueAccesses_.direct(instruction);
    return access && addTranslated(*access, instruction);
  }

  bool visitCall(const CallBase& call) {
    if (auto* intrinsic = dyn_cast<IntrinsicInst>(&call))
      return intrinsic->isAssumeLikeIntrinsic() || !intrinsic->mayReadOrWriteMemory();
    const Function* callee = call.getCalledFunction();
    if (!callee || callee->arg_size() > call.arg_size())
      return false;
    if (!hasBody(*callee)) {
      const ExternalModel* model = valueAccesses_.models_.find(*callee);
      return callee->doesNotAccessMemory() || (model && model->effect == Effect::Nothing);
    }
    if (valueAccesses_.models_.replacement(*callee))
      return false;
    SmallVector<const Value*, 4> arguments;
    for (const Value* argument : call.args()) {
      const Value* known = argument->getType()->isPointerTy() ? nullptr : resolve(argument);
      arguments.push_back(isa_and_nonnull<ConstantInt>(known) ? known : argument);
    }
    Summary inner = Evaluation(valueAccesses_, *callee, arguments, depth_ + 1).run();
    if (!inner.plain)
      return false;
    return !inner.access || addTranslated(*inner.access, call);
  }

  /// An access whose address is in this function's terms.
  bool addTranslated(ValueAccess access, const Instruction& by) {
    APInt bytes(64, 0);
    const Value* base =
        access.base->stripAndAccumulateConstantOffsets(valueAccesses_.layout_, bytes, true);
    if (isa<AllocaInst>(base))
      return true; // nobody else's
    if (auto* argument = dyn_cast<Argument>(base))
      base = argument->getArgNo() < arguments_.size() ? arguments_[argument->getArgNo()] : nullptr;
    else if (!isa<GlobalVariable>(base))
      return false;
    if (!base)
      return false;
    access.base = base;
    access.offset += bytes.getSExtValue();
    findExpected(access, by);
    access.written = access.written ? resolve(access.written) : nullptr;
    access.expected = access.expected ? resolve(access.expected) : nullptr;
    if (auto* argument = dyn_cast_or_null<Argument>(access.expectedAt))
      access.expectedAt = arguments_[argument->getArgNo()];
    if (access.tells)
      results_.push_back(&by);
    accesses_.push_back(access);
    return true;
  }

  Summary summarize() {
    Summary summary;
    summary.plain = true;
    // A compare-exchange that fails tells the value that it found.
    const Value* told = nullptr;
    for (const ValueAccess& each : accesses_)
      if (each.kind == ValueAccessKind::CompareExchange)
        told = each.expectedAt;
    for (const ValueAccess& each : accesses_) {
      if (told && each.base == told && !each.isAtomic())
        continue;
      if (!summary.access) {
        summary.access = each;
        continue;
      }
      ValueAccess& all = *summary.access;
      if (all.kind != each.kind || all.base != each.base || all.offset != each.offset ||
          all.isAtomic() != each.isAtomic())
        return {};
      if (all.written != each.written)
        all.written = nullptr;
      all.order = weaker(all.order, each.order);
      all.tells &= each.tells;
    }
    if (summary.access)
      summary.access->tells = summary.access->tells && !returns_.empty() &&
                              all_of(returns_, [&](const Value* value) { return isResult(value); });
    return summary;
  }

  bool isResult(const Value* value, unsigned depth = 0) const {
    if (!value || depth > 8)
      return false;
    value = withoutTest(value);
    if (auto* part = dyn_cast<ExtractValueInst>(value))
      return isa<AtomicCmpXchgInst>(part->getAggregateOperand()) && part->getIndices()[0] == 1 &&
             is_contained(results_, part->getAggregateOperand());
    if (auto* phi = dyn_cast<PHINode>(value)) {
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        if (marks_.contains(phi->getIncomingBlock(i)) &&
            !isResult(phi->getIncomingValue(i), depth + 1))
          return false;
      return true;
    }
    return !isa<AtomicCmpXchgInst>(value) && is_contained(results_, value);
  }

  ValueAccesses& valueAccesses_;
  const Function& function_;
  ArrayRef<const Value*> arguments_;
  unsigned depth_;
  DenseMap<const BasicBlock*, Mark> marks_;
  SmallVector<ValueAccess, 4> accesses_;
  SmallVector<const Value*, 4> results_;
  SmallVector<const Value*, 4> returns_;
};

std::optional<ValueAccess> ValueAccesses::direct(const Instruction& instruction) const {
  ValueAccess access;
  access.tells = true;
  auto typed = [&](const Value* base, Type* type) {
    access.base = base;
    access.size = layout_.getTypeStoreSize(type).getFixedValue();
    return access;
  };
  if (auto* load = dyn_cast<LoadInst>(&instruction)) {
    access.order = load->getOrdering();
    return typed(load->getPointerOperand(), load->getType());
  }
  if (auto* store = dyn_cast<StoreInst>(&instruction)) {
    access.kind = ValueAccessKind::Store;
    access.tells = false;
    access.order = store->getOrdering();
    access.written = withoutCasts(store->getValueOperand());
    return typed(store->getPointerOperand(), store->getValueOperand()->getType());
  }
  if (auto* update = dyn_cast<AtomicRMWInst>(&instruction)) {
    bool exchange = update->getOperation() == AtomicRMWInst::Xchg;
    access.kind = exchange ? ValueAccessKind::Exchange : ValueAccessKind::Update;
    access.order = update->getOrdering();
    access.written = exchange ? withoutCasts(update->getValOperand()) : nullptr;
    return typed(update->getPointerOperand(), update->getType());
  }
  if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
    access.kind = ValueAccessKind::CompareExchange;
    access.order = exchange->getSuccessOrdering();
    access.written = withoutCasts(exchange->getNewValOperand());
    access.expected = withoutCasts(exchange->getCompareOperand());
    return typed(exchange->getPointerOperand(), exchange->getNewValOperand()->getType());
  }
  return std::nullopt;
}

std::optional<ValueAccess> ValueAccesses::at(const Instruction& instruction) {
  auto* call = dyn_cast<CallBase>(&instruction);
  if (!call) {
    std::optional<ValueAccess> access = direct(instruction);
    if (access)
      findExpected(*access, instruction);
    return access;
  }
  const Function* callee = call->getCalledFunction();
  if (!callee || !isWrapper(*callee) || callee->arg_size() > call->arg_size())
    return std::nullopt;
  auto [entry, isNew] = calls_.try_emplace(call);
  if (!isNew)
    return entry->second;
  SmallVector<const Value*, 4> arguments(call->args());
  std::optional<ValueAccess> access = Evaluation(*this, *callee, arguments, 0).run().access;
  if (access)
    findExpected(*access, instruction);
  return calls_[call] = access;
}

bool ValueAccesses::isWrapper(const Function& function) {
  auto [entry, isNew] = wrappers_.try_emplace(&function, false);
  if (!isNew)
    return entry->second;
  if (!hasBody(function) || function.hasAddressTaken() || models_.replacement(function))
    return false;
  SmallVector<const Value*, 4> arguments;
  for (const Argument& argument : function.args())
    arguments.push_back(&argument);
  bool wrapper = Evaluation(*this, function, arguments, 0).run().access.has_value();
  return wrappers_[&function] = wrapper;
}

} // namespace heddle::analysis
