#include "static/bodies.h"

#include "static/numbers.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

#include <numeric>

using namespace llvm;

namespace heddle::analysis {

namespace {

/// Constructors and destructors set the vtable pointers of their own class last (first), after
/// (before) those of their base classes.
bool isStructor(const Function& function) {
  StringRef name = function.getName();
  if (!name.starts_with("_ZN"))
    return false;
  ItaniumPartialDemangler demangler;
  std::string text = name.split('.').first.str(); // the linker's suffixes
  if (demangler.partialDemangle(text.c_str()))
    return false;
  return demangler.isCtorOrDtor();
}

/// Whether the function is a non-static member, and which parameter `this` is.
bool findReceiver(const Function& function, uint32_t& receiver) {
  receiver = function.hasStructRetAttr() ? 1 : 0;
  if (function.arg_size() <= receiver || function.isVarArg())
    return false;
  if (!function.getArg(receiver)->getType()->isPointerTy())
    return false;
  if (const DISubprogram* subprogram = function.getSubprogram()) {
    const DISubprogram* declaration =
        subprogram->getDeclaration() ? subprogram->getDeclaration() : subprogram;
    if (auto* types = declaration->getType()) {
      auto array = types->getTypeArray();
      if (array.size() < 2)
        return false;
      auto* self = dyn_cast_or_null<DIDerivedType>(array[1]);
      return self && self->isObjectPointer();
    }
  }
  StringRef name = function.getName();
  if (name.starts_with("_ZNK"))
    return true;
  // Without debug information: a nested name whose first parameter can not be null.
  return name.starts_with("_ZN") && function.hasParamAttribute(receiver, Attribute::NonNull) &&
         function.hasParamAttribute(receiver, Attribute::Dereferenceable);
}

/// Whether the function is a std::async that is never allowed to defer: all calls say so.
bool neverDefers(const Function& function) {
  if (!function.getName().starts_with("_ZSt5asyncI"))
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

/// Makes one function's body.
class BodyMaker {
public:
  BodyMaker(const Function& function, Bodies& bodies)
      : function_(function), bodies_(bodies), body_(std::make_unique<Body>()) {}

  std::unique_ptr<Body> make() && {
    body_->function = &function_;
    body_->member = findReceiver(function_, body_->receiver);
    for (const Argument& argument : function_.args()) {
      body_->parameters.push_back(carriesAddress(argument.getType()) ? newVariable(&argument)
                                                                     : kNoOperand);
      body_->limits.push_back(
          {parameterContent(function_, argument.getArgNo()), argument.getDereferenceableBytes()});
    }
    if (carriesAddress(function_.getReturnType()))
      body_->result = body_->variables++;
    if (isStructor(function_))
      collectOwnVtables();
    SmallPtrSet<const BasicBlock*, 2> unused = unusedOperations();
    for (const BasicBlock& block : function_)
      for (const Instruction& instruction : block)
        if (!unused.contains(&block))
          visit(instruction);
    finishPhis();
    keepOperands();
    findNumbers(*body_);
    std::sort(body_->constants.begin(), body_->constants.end());
    body_->constants.erase(std::unique(body_->constants.begin(), body_->constants.end()),
                           body_->constants.end());
    index();
    return std::move(body_);
  }

private:
  /// std::function manages what it holds with one function that gets the operation as a number. The
  /// one that has it hand out a pointer into itself is used by target() only.
  SmallPtrSet<const BasicBlock*, 2> unusedOperations() const {
    SmallPtrSet<const BasicBlock*, 2> unused;
    if (bodies_.asksForTargets() || !function_.getName().starts_with("_ZNSt") ||
        !function_.getName().contains("10_M_managerERSt9_Any_data"))
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

  /// Bodies are many and mostly small: what they keep takes no more room than it needs.
  void keepOperands() {
    body_->operands.assign(operands_.begin(), operands_.end());
    std::sort(body_->operands.begin(), body_->operands.end());
  }

  Operand newVariable(const Value* value) {
    Operand variable = body_->variables++;
    operands_[value] = variable;
    return variable;
  }

  /// The variable that stands for an instruction's value; made when it is first mentioned.
  Operand operandOf(const Value* value) {
    if (auto* constant = dyn_cast<Constant>(value))
      return bodies_.constantOperand(*constant);
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
  Operand definedBy(const Instruction& instruction) {
    switch (instruction.getOpcode()) {
    case Instruction::BitCast:
    case Instruction::AddrSpaceCast:
    case Instruction::IntToPtr:
    case Instruction::PtrToInt:
    case Instruction::Freeze:
    case Instruction::SExt:
    case Instruction::ZExt:
    case Instruction::Trunc:
      return operandOf(instruction.getOperand(0));
    case Instruction::GetElementPtr: {
      auto& gep = cast<GEPOperator>(instruction);
      return bodies_.step(gep).isZero() ? operandOf(gep.getPointerOperand()) : body_->variables++;
    }
    case Instruction::Call:
      if (const Value* passed = passedThrough(cast<CallInst>(instruction)))
        return operandOf(passed);
      return body_->variables++;
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
      if (isAddressNumber(instruction.getOperand(0)))
        return operandOf(instruction.getOperand(0)); // bits that are not used in an address
      [[fallthrough]];
    case Instruction::Add:
    case Instruction::Sub:
      return isa<ConstantInt>(instruction.getOperand(1)) &&
                     (isAddressNumber(instruction.getOperand(0)) || becomesAddress(instruction))
                 ? operandOf(instruction.getOperand(0))
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
      return body_->variables++;
    default:
      return kNoOperand; // arithmetic
    }
  }

  static const Value* passedThrough(const CallInst& call) {
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
      addStore(instruction.getOperand(1), instruction.getOperand(0), bodies_.memberOf(instruction));
      break;
    case Instruction::AtomicCmpXchg: {
      auto& exchange = cast<AtomicCmpXchgInst>(instruction);
      addLoad(exchange.getPointerOperand(), &instruction, exchange.getNewValOperand()->getType(),
              {});
      addStore(exchange.getPointerOperand(), exchange.getNewValOperand());
      break;
    }
    case Instruction::AtomicRMW: {
      auto& update = cast<AtomicRMWInst>(instruction);
      addLoad(update.getPointerOperand(), &instruction, update.getType(), {});
      if (update.getOperation() == AtomicRMWInst::Xchg)
        addStore(update.getPointerOperand(), update.getValOperand());
      break;
    }
    case Instruction::GetElementPtr: {
      auto& gep = cast<GEPOperator>(instruction);
      if (Step step = bodies_.step(gep); !step.isZero())
        addMove(gep.getPointerOperand(), &instruction, step);
      break;
    }
    case Instruction::PHI:
      if (carriesAddress(instruction.getType()))
        phis_.push_back(cast<PHINode>(&instruction));
      addRound(cast<PHINode>(instruction));
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

  void addLocal(const AllocaInst& local) {
    Op op{OpKind::Local};
    op.other = operandOf(&local);
    op.index = body_->locals.size();
    body_->locals.push_back(&local);
    body_->ops.push_back(op);
  }

  void addMemberLoad(const LoadInst& load) {
    MemberPlace member = bodies_.memberOf(load);
    addLoad(load.getPointerOperand(), &load, load.getType(), {}, member);
    if (!load.getType()->isPointerTy())
      return;
    CellContent content = isVtableLoad(load) ? CellContent{CellContent::Kind::Vtable}
                          : member.owner ? bodies_.layouts().contentAt(member.owner, member.offset)
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
    op.vtable = isVtableConstant(source);
    body_->ops.push_back(op);
  }

  template <typename Visit> bool eachPart(Type* type, Step step, Visit visit) {
    if (auto* structure = dyn_cast<StructType>(type)) {
      const StructLayout* layout = bodies_.layout().getStructLayout(structure);
      for (unsigned i = 0; i < structure->getNumElements(); ++i) {
        Step at = step;
        at.offset += layout->getElementOffset(i);
        visit(structure->getElementType(i), at);
      }
      return true;
    }
    if (auto* array = dyn_cast<ArrayType>(type)) {
      uint64_t size = bodies_.layout().getTypeAllocSize(array->getElementType());
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

  /// A counter or a pointer that goes on by a constant in each round of a loop is another one in
  /// each round. Only loops that may create threads are of interest.
  void addRound(const PHINode& phi) {
    if (!bodies_.mayCreateThreads(function_))
      return;
    if (phi.getType()->isIntegerTy() && any_of(phi.incoming_values(), [&](const Value* next) {
          auto* sum = dyn_cast<BinaryOperator>(next);
          return sum && sum->getOpcode() == Instruction::Add && sum->getOperand(0) == &phi &&
                 isa<ConstantInt>(sum->getOperand(1));
        })) {
      Op op{OpKind::Round};
      op.other = operandOf(&phi);
      op.round = &phi;
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
    bool walks = bodies_.mayCreateThreads(function_) && phi.getType()->isPointerTy() &&
                 any_of(phi.incoming_values(), [&](const Value* value) {
                   auto* gep = dyn_cast<GEPOperator>(value);
                   return gep && gep->getPointerOperand() == &phi;
                 });
    if (!walks)
      return addCopy(incoming, &phi);
    if (next && next->getPointerOperand() == &phi)
      return; // the same elements again
    Op op{OpKind::NextRound};
    op.pointer = operandOf(incoming);
    op.other = operandOf(&phi);
    op.round = &phi;
    op.step.stride = walkedStride(phi);
    if (op.pointer != kNoOperand && op.other != kNoOperand)
      body_->ops.push_back(op);
  }

  uint32_t walkedStride(const PHINode& phi) const {
    for (const Value* value : phi.incoming_values())
      if (auto* gep = dyn_cast<GEPOperator>(value); gep && gep->getPointerOperand() == &phi)
        return bodies_.step(*gep).stride;
    return 0;
  }

  // --- calls

  void visitCall(const CallBase& call) {
    if (auto* intrinsic = dyn_cast<IntrinsicInst>(&call)) {
      if (auto* transfer = dyn_cast<MemTransferInst>(intrinsic))
        addCopyMemory(transfer->getRawDest(), transfer->getRawSource(), transfer->getLength());
      return;
    }
    if (call.isInlineAsm() || bodies_.movedFrom().isVoid(call))
      return;
    CallOp op;
    op.instruction = &call;
    op.callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
    if (op.callee && op.callee->arg_size() > call.arg_size())
      return; // called with too few arguments: undefined
    if (op.callee) {
      op.model = bodies_.models().replacement(*op.callee);
      if (!op.model && !hasBody(*op.callee))
        op.model = bodies_.models().find(*op.callee);
      if (op.model && op.model->effect == Effect::Nothing)
        return;
      if (op.callee->getName().contains("15_Deferred_stateI") && neverDefers(function_))
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
    op.transient = op.callee && isBaseStructor(call);
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
      if (!gep->accumulateConstantOffset(bodies_.layout(), offset))
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

  // --- vtables

  bool isVtableConstant(Operand source) const {
    if (!isConstant(source))
      return false;
    const auto& addresses = bodies_.constant(constantIndex(source));
    return addresses.size() == 1 && isVtable(*addresses[0].global);
  }

  /// The offset from the first parameter, if the value is that far from it.
  bool offsetFromThis(const Value* value, int64_t& offset) const {
    APInt bytes(64, 0);
    const Value* base = value->stripAndAccumulateConstantOffsets(bodies_.layout(), bytes,
                                                                 /*AllowNonInbounds=*/true);
    offset = bytes.getSExtValue();
    return function_.arg_size() > 0 && base == function_.getArg(0);
  }

  void collectOwnVtables() {
    for (const Instruction& instruction : instructions(function_)) {
      auto* store = dyn_cast<StoreInst>(&instruction);
      int64_t offset = 0;
      if (!store || !offsetFromThis(store->getPointerOperand(), offset))
        continue;
      auto* constant = dyn_cast<Constant>(store->getValueOperand());
      if (constant && isVtableConstant(bodies_.constantOperand(*constant)))
        ownVtables_.push_back(offset);
    }
  }

  bool isBaseStructor(const CallBase& call) {
    int64_t offset = 0;
    return !ownVtables_.empty() && call.arg_size() > 0 &&
           offsetFromThis(call.getArgOperand(0), offset) && is_contained(ownVtables_, offset) &&
           isStructor(*cast<Function>(call.getCalledOperand()->stripPointerCastsAndAliases()));
  }

  // --- index

  void index() {
    std::vector<std::pair<Operand, uint32_t>> watched;
    for (uint32_t i = 0; i < body_->ops.size(); ++i)
      indexOp(i, watched);
    makeRows(watched, body_->firstWatched, body_->watched);
    std::sort(copies_.begin(), copies_.end());
    copies_.erase(std::unique(copies_.begin(), copies_.end()), copies_.end());
    makeRows(copies_, body_->firstCopy, body_->copies);
  }

  void indexOp(uint32_t i, std::vector<std::pair<Operand, uint32_t>>& watched) {
    const Op& op = body_->ops[i];
    bool variable = false;
    auto watch = [&](Operand operand) {
      if (operand == kNoOperand || !isVariable(operand))
        return;
      watched.push_back({operand, i});
      variable = true;
    };
    switch (op.kind) {
    case OpKind::Local:
    case OpKind::Round:
      break;
    case OpKind::Load:
    case OpKind::Store:
    case OpKind::NextRound:
      watch(op.pointer);
      break;
    case OpKind::Move: {
      watch(op.pointer);
      bool watched_ = variable;
      if (op.by != op.pointer)
        watch(op.by);
      variable = watched_;
      break;
    }
    case OpKind::CopyMemory:
      watch(op.pointer);
      if (op.other != op.pointer)
        watch(op.other);
      break;
    case OpKind::Call:
      watchCall(body_->calls[op.index], watch);
      variable = false; // a call has a part that is done once
      break;
    }
    if (!variable)
      body_->unconditional.push_back(i);
  }

  /// What decides where a call goes: the receiver, the function pointer, or what a model looks at.
  template <typename Watch> void watchCall(const CallOp& call, Watch watch) {
    auto argument = [&](int index) {
      if (index >= 0 && static_cast<size_t>(index) < call.arguments.size())
        watch(call.arguments[index]);
    };
    if (call.model) {
      argument(call.model->a);
      if (call.model->b != call.model->a)
        argument(call.model->b);
      if (call.model->effect == Effect::Link)
        argument(call.model->c);
      return;
    }
    if (call.callee) {
      uint32_t receiver = 0;
      if (hasBody(*call.callee) && findReceiver(*call.callee, receiver))
        argument(receiver);
      return;
    }
    if (call.slot >= 0)
      argument(call.receiver);
    else
      watch(call.pointer);
  }

  void makeRows(std::vector<std::pair<Operand, uint32_t>>& entries, std::vector<uint32_t>& first,
                std::vector<uint32_t>& all) const {
    std::sort(entries.begin(), entries.end());
    first.assign(body_->variables + 1, 0);
    for (auto& [variable, entry] : entries)
      ++first[variable + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    all.reserve(entries.size());
    for (auto& [variable, entry] : entries)
      all.push_back(entry);
  }

  const Function& function_;
  Bodies& bodies_;
  std::unique_ptr<Body> body_;
  DenseMap<const Value*, Operand> operands_;
  std::vector<const PHINode*> phis_;
  std::vector<std::pair<Operand, uint32_t>> copies_;
  SmallVector<int64_t, 2> ownVtables_;
};

} // namespace

Bodies::Bodies(const Module& module, const Models& models)
    : layout_(module.getDataLayout()), models_(models), movedFrom_(layout_),
      adjustsMembers_(adjustsMembers(module)),
      asksForTargets_(any_of(module, [](const Function& function) {
        StringRef name = function.getName();
        return name.starts_with("_ZN") && name.contains("St8functionI") &&
               (name.contains("6targetI") || name.contains("11target_type"));
      })) {
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
MemberPlace Bodies::memberOf(const Instruction& access) const {
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

Step Bodies::step(const GEPOperator& gep) const {
  Step step = stepOf(gep, layout_);
  if (step.stride == 1 && !adjustsMembers_ && isMemberAdjustment(step.index))
    return {step.offset};
  return step;
}

void Bodies::findCreators(const Module& module) {
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

const Body& Bodies::of(const Function& function) {
  if (auto found = bodies_.find(&function); found != bodies_.end())
    return *found->second;
  // Made before it is stored: making it may ask for others' names, never for their bodies.
  auto body = BodyMaker(function, *this).make();
  return *bodies_.try_emplace(&function, std::move(body)).first->second;
}

Operand Bodies::constantOperand(const Constant& constant) {
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

bool Bodies::hasOneCaller(const Function& function) {
  if (!function.hasOneUse())
    return false;
  auto* call = dyn_cast<CallBase>(function.user_back());
  return call && call->isCallee(&*function.use_begin());
}

} // namespace heddle::analysis
