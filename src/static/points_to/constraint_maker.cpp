#include "static/points_to/constraint_maker.h"

#include "static/ir/object_types.h"
#include "static/ir/standard_library.h"
#include "static/points_to/constraint_index.h"
#include "static/points_to/operands.h"
#include "static/points_to/own_vtables.h"
#include "static/points_to/receivers.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace heddle::analysis {
namespace {

/// Whether the function is a std::async that is never allowed to defer: all calls say so.
bool neverDefers(const Function& function) {
  if (!isAsync(function.getName()))
    return false;
  unsigned policy = function.hasStructRetAttr() ? 1 : 0;
  constexpr uint64_t kDeferred = 2;
  return !function.use_empty() && all_of(function.users(), [&](const User* user) {
    auto* call = dyn_cast<CallBase>(user);
    auto* value = call && call->getCalledOperand() == &function && call->arg_size() > policy
                      ? dyn_cast<ConstantInt>(call->getArgOperand(policy))
                      : nullptr;
    return value && (value->getZExtValue() & kDeferred) == 0;
  });
}

/// Makes one function's constraints.
class ConstraintMaker {
public:
  ConstraintMaker(const Function& function, ConstraintContext& context)
      : function_(function), context_(context), body_(std::make_unique<FunctionConstraints>()),
        operands_(context, *body_), vtables_(function, context) {}

  std::unique_ptr<FunctionConstraints> make() && {
    body_->function = &function_;
    body_->member = findReceiver(function_, body_->receiver);
    for (const Argument& argument : function_.args()) {
      body_->parameters.push_back(
          carriesAddress(argument.getType()) ? operands_.newVariable(&argument) : kNoOperand);
      body_->limits.push_back(
          {parameterContent(function_, argument.getArgNo()), argument.getDereferenceableBytes()});
    }
    if (carriesAddress(function_.getReturnType()))
      body_->result = body_->variables++;
    SmallPtrSet<const BasicBlock*, 2> unused = unusedOperations();
    for (const BasicBlock& block : function_)
      for (const Instruction& instruction : block)
        if (!unused.contains(&block))
          visit(instruction);
    finishPhis();
    operands_.finish();
    std::sort(body_->constants.begin(), body_->constants.end());
    body_->constants.erase(std::unique(body_->constants.begin(), body_->constants.end()),
                           body_->constants.end());
    indexConstraints(*body_, std::move(copies_));
    return std::move(body_);
  }

private:
  Operand operandOf(const Value* value) { return operands_.of(value); }

  /// std::function manages what it holds with one function that gets the operation as a number. The
  /// one that has it hand out a pointer into itself is used by target() only.
  SmallPtrSet<const BasicBlock*, 2> unusedOperations() const {
    SmallPtrSet<const BasicBlock*, 2> unused;
    if (context_.asksForTargets() || !isFunctionManager(function_.getName()))
      return unused;
    constexpr uint64_t kGetPointer = 1;
    for (const BasicBlock& block : function_)
      if (auto* operation = dyn_cast<SwitchInst>(block.getTerminator()))
        for (auto choice : operation->cases())
          if (choice.getCaseValue()->getZExtValue() == kGetPointer &&
              choice.getCaseSuccessor()->getSinglePredecessor())
            unused.insert(choice.getCaseSuccessor());
    return unused;
  }

  // --- instructions

  void visit(const Instruction& instruction) {
    // What is accessed must have a variable even where no address is read or written.
    for (const Value* operand : instruction.operands())
      if (operand->getType()->isPointerTy())
        if (Operand used = operandOf(operand); isConstant(used))
          body_->constants.push_back(used);
    switch (instruction.getOpcode()) {
    case Instruction::Alloca:
      addLocal(cast<AllocaInst>(instruction));
      break;
    case Instruction::Load:
      if (!isPartOfVirtualCall(cast<LoadInst>(instruction)))
        addMemberLoad(cast<LoadInst>(instruction));
      break;
    case Instruction::Store:
      addStore(instruction.getOperand(1), instruction.getOperand(0),
               context_.memberOf(instruction));
      break;
    case Instruction::AtomicCmpXchg:
      addExchange(cast<AtomicCmpXchgInst>(instruction));
      break;
    case Instruction::AtomicRMW:
      addUpdate(cast<AtomicRMWInst>(instruction));
      break;
    case Instruction::GetElementPtr: {
      auto& gep = cast<GEPOperator>(instruction);
      if (Step step = context_.step(gep); !step.isZero())
        addMove(gep.getPointerOperand(), &instruction, step);
      break;
    }
    case Instruction::PHI:
      if (carriesAddress(instruction.getType()))
        phis_.push_back(cast<PHINode>(&instruction));
      addIteration(cast<PHINode>(instruction));
      break;
    case Instruction::Select:
      addCopy(instruction.getOperand(1), &instruction);
      addCopy(instruction.getOperand(2), &instruction);
      break;
    case Instruction::ExtractValue:
      addCopy(instruction.getOperand(0), &instruction);
      break;
    case Instruction::InsertValue:
      addCopy(instruction.getOperand(0), &instruction);
      addCopy(instruction.getOperand(1), &instruction);
      break;
    case Instruction::Ret:
      if (instruction.getNumOperands() && body_->result != kNoOperand)
        addCopyTo(operandOf(instruction.getOperand(0)), body_->result);
      break;
    case Instruction::Call:
    case Instruction::Invoke:
      visitCall(cast<CallBase>(instruction));
      break;
    default:
      break;
    }
  }

  void addExchange(const AtomicCmpXchgInst& exchange) {
    addLoad(exchange.getPointerOperand(), &exchange, exchange.getNewValOperand()->getType(), {});
    addStore(exchange.getPointerOperand(), exchange.getNewValOperand());
  }

  void addUpdate(const AtomicRMWInst& update) {
    addLoad(update.getPointerOperand(), &update, update.getType(), {});
    if (update.getOperation() == AtomicRMWInst::Xchg)
      addStore(update.getPointerOperand(), update.getValOperand());
  }

  void addLocal(const AllocaInst& local) {
    Op op{OpKind::Local};
    op.other = operandOf(&local);
    op.index = body_->locals.size();
    body_->locals.push_back(&local);
    body_->ops.push_back(op);
  }

  void addMemberLoad(const LoadInst& load) {
    MemberPlace member = context_.memberOf(load);
    addLoad(load.getPointerOperand(), &load, load.getType(), {}, member);
    if (!load.getType()->isPointerTy())
      return;
    CellContent content = isVtableLoad(load) ? CellContent{CellContent::Kind::Vtable}
                          : member.owner ? context_.layouts().contentAt(member.owner, member.offset)
                                         : CellContent{};
    if (Operand variable = operandOf(&load);
        content.kind != CellContent::Kind::Anything && isVariable(variable))
      body_->contents.push_back({variable, content});
  }

  static bool isVtableLoad(const LoadInst& load) {
    const MDNode* tag = load.getMetadata(LLVMContext::MD_tbaa);
    auto* type = tag && tag->getNumOperands() ? dyn_cast<MDNode>(tag->getOperand(0)) : nullptr;
    auto* name = type && type->getNumOperands() ? dyn_cast<MDString>(type->getOperand(0)) : nullptr;
    return name && name->getString() == "vtable pointer";
  }

  /// A struct is loaded part by part: every part with an address goes to the one variable.
  void addLoad(const Value* pointer, const Value* target, Type* type, Step step,
               MemberPlace member = {}) {
    if (!carriesAddress(type))
      return;
    if (eachPart(type, step, [&](Type* part, Step at) { addLoad(pointer, target, part, at); }))
      return;
    Op op{OpKind::Load};
    op.pointer = operandOf(pointer);
    op.other = operandOf(target);
    op.step = step;
    op.member = member;
    if (op.pointer != kNoOperand && op.other != kNoOperand)
      body_->ops.push_back(op);
  }

  void addStore(const Value* pointer, const Value* source, MemberPlace member = {}) {
    Operand from = operandOf(source);
    if (from != kNoOperand)
      addStorePart(operandOf(pointer), from, source->getType(), {}, member);
  }

  void addStorePart(Operand pointer, Operand source, Type* type, Step step,
                    MemberPlace member = {}) {
    if (pointer == kNoOperand || !carriesAddress(type))
      return;
    if (eachPart(type, step, [&](Type* part, Step at) { addStorePart(pointer, source, part, at); }))
      return;
    Op op{OpKind::Store};
    op.pointer = pointer;
    op.other = source;
    op.step = step;
    op.member = member;
    op.vtable = vtables_.isVtable(source);
    body_->ops.push_back(op);
  }

  template <typename Visit> bool eachPart(Type* type, Step step, Visit visit) {
    if (auto* structure = dyn_cast<StructType>(type)) {
      const StructLayout* layout = context_.layout().getStructLayout(structure);
      for (unsigned i = 0; i < structure->getNumElements(); ++i) {
        Step at = step;
        at.offset += layout->getElementOffset(i);
        visit(structure->getElementType(i), at);
      }
      return true;
    }
    if (auto* array = dyn_cast<ArrayType>(type)) {
      uint64_t size = context_.layout().getTypeAllocSize(array->getElementType());
      for (uint64_t i = 0; i < std::min<uint64_t>(array->getNumElements(), 8); ++i) {
        Step at = step;
        at.offset += i * size;
        visit(array->getElementType(), at);
      }
      return true;
    }
    return false;
  }

  void addMove(const Value* pointer, const Value* target, const Step& step) {
    Op op{OpKind::Move};
    op.pointer = operandOf(pointer);
    op.other = operandOf(target);
    op.step = step;
    if (step.index)
      op.by = operandOf(step.index);
    if (op.pointer != kNoOperand)
      body_->ops.push_back(op);
  }

  /// A counter or a pointer that goes on by a constant in each iteration of a loop is another one
  /// in each iteration. Only loops that may create threads are of interest.
  void addIteration(const PHINode& phi) {
    if (!context_.mayCreateThreads(function_))
      return;
    if (phi.getType()->isIntegerTy() && any_of(phi.incoming_values(), [&](const Value* next) {
          auto* sum = dyn_cast<BinaryOperator>(next);
          return sum && sum->getOpcode() == Instruction::Add && sum->getOperand(0) == &phi &&
                 isa<ConstantInt>(sum->getOperand(1));
        })) {
      Op op{OpKind::Iteration};
      op.other = operandOf(&phi);
      op.iteration = &phi;
      if (op.other != kNoOperand)
        body_->ops.push_back(op);
    }
  }

  void addCopy(const Value* source, const Value* target) {
    Operand to = operandOf(target);
    if (to != kNoOperand)
      addCopyTo(operandOf(source), to);
  }

  void addCopyTo(Operand source, Operand target) {
    if (source == kNoOperand || source == target)
      return;
    if (isVariable(source))
      copies_.push_back({source, target});
    else
      body_->constantCopies.push_back({source, target});
  }

  void finishPhis() {
    for (const PHINode* phi : phis_)
      for (const Value* incoming : phi->incoming_values())
        addIncoming(*phi, incoming);
  }

  void addIncoming(const PHINode& phi, const Value* incoming) {
    auto* next = dyn_cast<GEPOperator>(incoming);
    bool walks = context_.mayCreateThreads(function_) && phi.getType()->isPointerTy() &&
                 any_of(phi.incoming_values(), [&](const Value* value) {
                   auto* gep = dyn_cast<GEPOperator>(value);
                   return gep && gep->getPointerOperand() == &phi;
                 });
    if (!walks)
      return addCopy(incoming, &phi);
    if (next && next->getPointerOperand() == &phi)
      return; // the same elements again
    Op op{OpKind::NextIteration};
    op.pointer = operandOf(incoming);
    op.other = operandOf(&phi);
    op.iteration = &phi;
    op.step.stride = walkedStride(phi);
    if (op.pointer != kNoOperand && op.other != kNoOperand)
      body_->ops.push_back(op);
  }

  uint32_t walkedStride(const PHINode& phi) const {
    for (const Value* value : phi.incoming_values())
      if (auto* gep = dyn_cast<GEPOperator>(value); gep && gep->getPointerOperand() == &phi)
        return context_.step(*gep).stride;
    return 0;
  }

  // --- calls

  void visitCall(const CallBase& call) {
    if (auto* intrinsic = dyn_cast<IntrinsicInst>(&call)) {
      if (auto* transfer = dyn_cast<MemTransferInst>(intrinsic))
        addCopyMemory(transfer->getRawDest(), transfer->getRawSource(), transfer->getLength());
      return;
    }
    if (call.isInlineAsm() || context_.movedFrom().isVoid(call))
      return;
    CallOp op;
    op.instruction = &call;
    op.callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
    if (op.callee && op.callee->arg_size() > call.arg_size())
      return; // called with too few arguments: undefined
    if (op.callee) {
      op.model = context_.models().replacement(*op.callee);
      if (!op.model && !hasBody(*op.callee))
        op.model = context_.models().find(*op.callee);
      if (op.model && op.model->effect == Effect::Nothing)
        return;
      if (isDeferredState(op.callee->getName()) && neverDefers(function_))
        return;
    } else {
      op.pointer = operandOf(call.getCalledOperand());
      if (op.pointer == kNoOperand)
        return;
    }
    op.receiver = call.hasStructRetAttr() ? 1 : 0;
    for (const Value* argument : call.args())
      op.arguments.push_back(carriesAddress(argument->getType()) ? operandOf(argument)
                                                                 : kNoOperand);
    op.result = carriesAddress(call.getType()) ? operandOf(&call) : kNoOperand;
    if (!op.callee)
      op.slot = static_cast<int32_t>(slotOf(call, op.receiver));
    op.transient = op.callee && vtables_.isBaseStructor(call);
    op.allocates = op.callee && !op.model && allocatedType(*op.callee);
    addCall(std::move(op)); // of unknown functions, too, so that they can be named
  }

  void addCall(CallOp call) {
    Op op{OpKind::Call};
    op.index = body_->calls.size();
    body_->calls.push_back(std::move(call));
    body_->ops.push_back(op);
  }

  void addCopyMemory(const Value* to, const Value* from, const Value* length) {
    if (!isa<ConstantInt>(length) && copiesText(function_))
      return;
    Op op{OpKind::CopyMemory};
    op.pointer = operandOf(to);
    op.other = operandOf(from);
    if (auto* bytes = dyn_cast<ConstantInt>(length))
      op.length = bytes->getZExtValue();
    if (op.pointer != kNoOperand && op.other != kNoOperand)
      body_->ops.push_back(op);
  }

  /// Whether a load is only the first or second step of a virtual call, which needs no variable for
  /// the vtable or for its entry.
  bool isPartOfVirtualCall(const LoadInst& load) {
    if (!load.hasOneUse())
      return false;
    const User* user = *load.user_begin();
    if (auto* gep = dyn_cast<GetElementPtrInst>(user); gep && gep->hasOneUse())
      user = *gep->user_begin();
    if (auto* entry = dyn_cast<LoadInst>(user); entry && entry->hasOneUse())
      user = *entry->user_begin();
    auto* call = dyn_cast<CallBase>(user);
    if (!call || call->isInlineAsm() || !isa<LoadInst>(call->getCalledOperand()))
      return false;
    return slotOf(*call, call->hasStructRetAttr() ? 1 : 0) >= 0;
  }

  /// A virtual call is load(load(this) + slot) on its own `this`; -1 for another call.
  int64_t slotOf(const CallBase& call, unsigned receiverIndex) {
    if (call.arg_size() <= receiverIndex)
      return -1;
    auto* target = dyn_cast<LoadInst>(call.getCalledOperand());
    if (!target)
      return -1;
    const Value* entry = target->getPointerOperand();
    int64_t slot = 0;
    if (auto* gep = dyn_cast<GEPOperator>(entry)) {
      APInt offset(64, 0);
      if (!gep->accumulateConstantOffset(context_.layout(), offset))
        return -1;
      slot = offset.getSExtValue();
      entry = gep->getPointerOperand();
    }
    auto* vtable = dyn_cast<LoadInst>(entry);
    if (!vtable || slot < 0)
      return -1;
    Operand receiver = operandOf(call.getArgOperand(receiverIndex));
    return receiver != kNoOperand && operandOf(vtable->getPointerOperand()) == receiver ? slot : -1;
  }

  const Function& function_;
  ConstraintContext& context_;
  std::unique_ptr<FunctionConstraints> body_;
  Operands operands_;
  std::vector<const PHINode*> phis_;
  VariableCopies copies_;
  OwnVtables vtables_;
};

} // namespace

std::unique_ptr<FunctionConstraints> makeConstraints(const Function& function,
                                                     ConstraintContext& context) {
  return ConstraintMaker(function, context).make();
}

} // namespace heddle::analysis
