#include "hooks.h"

#include "assembly.h"
#include "call_graph.h"
#include "late_cleanup.h"
#include "model/library_writes.h"
#include "model/memory_order.h"
#include "promises.h"
#include "site_metadata.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace heddle::pass {
namespace {

// preserve_most: the fast path around a hook keeps its values in registers. Cold: the call moves
// out of line. Nothing is said about memory: other threads run inside a hook.
Function* declareHook(Module& module, const char* name, ArrayRef<Type*> parameters) {
  LLVMContext& context = module.getContext();
  auto* type = FunctionType::get(Type::getVoidTy(context), parameters, /*isVarArg=*/false);
  auto* hook = cast<Function>(module.getOrInsertFunction(name, type).getCallee());
  if (!hook->isDeclaration())
    return hook;
  hook->setLinkage(GlobalValue::ExternalWeakLinkage);
  hook->setCallingConv(CallingConv::PreserveMost);
  hook->addFnAttr(Attribute::NoUnwind);
  hook->addFnAttr(Attribute::Cold);
  return hook;
}

/// Null: the instruction is no call of such a function.
const LibraryWrite* libraryWrite(const Instruction& instruction) {
  const auto* call = dyn_cast<CallBase>(&instruction);
  const Function* callee = call ? directCallee(*call) : nullptr;
  return callee ? findLibraryWrite(callee->getName()) : nullptr;
}

/// The n-th access of the assembly.
Value* assemblyAddress(CallBase& call, size_t number, IRBuilder<>& builder) {
  AssemblyAccess access = assemblyEffect(call).accesses[number];
  auto* base = const_cast<Value*>(access.address);
  return access.displacement == 0
             ? base
             : builder.CreateConstGEP1_64(builder.getInt8Ty(), base,
                                          static_cast<uint64_t>(access.displacement));
}

Value* accessedAddress(Instruction& instruction, const Site& site, IRBuilder<>& builder) {
  SiteKind kind = site.kind;
  if (site.flags & kSiteAssembly && kind != SiteKind::Fence)
    return assemblyAddress(cast<CallBase>(instruction), site.access, builder);
  if (const LibraryWrite* write = libraryWrite(instruction))
    return cast<CallBase>(instruction).getArgOperand(write->argument);
  if (auto* transfer = dyn_cast<MemTransferInst>(&instruction);
      transfer && kind == SiteKind::RangeRead)
    return transfer->getRawSource();
  if (auto* range = dyn_cast<MemIntrinsic>(&instruction))
    return range->getRawDest();
  if (kind == SiteKind::Fence)
    return ConstantPointerNull::get(PointerType::getUnqual(instruction.getContext()));
  if (auto* update = dyn_cast<AtomicRMWInst>(&instruction))
    return update->getPointerOperand();
  if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return exchange->getPointerOperand();
  return getLoadStorePointerOperand(&instruction);
}

Value* rangeLength(Instruction& instruction, IRBuilder<>& builder) {
  if (auto* range = dyn_cast<MemIntrinsic>(&instruction))
    return builder.CreateZExtOrTrunc(range->getLength(), builder.getInt64Ty());
  return builder.getInt64(libraryWrite(instruction)->bytes);
}

MemoryOrder modelOrder(AtomicOrdering order) {
  switch (order) {
  case AtomicOrdering::NotAtomic:
  case AtomicOrdering::Unordered:
  case AtomicOrdering::Monotonic:
    return MemoryOrder::Relaxed;
  case AtomicOrdering::Acquire:
    return MemoryOrder::Acquire;
  case AtomicOrdering::Release:
    return MemoryOrder::Release;
  case AtomicOrdering::AcquireRelease:
    return MemoryOrder::AcquireRelease;
  case AtomicOrdering::SequentiallyConsistent:
    return MemoryOrder::SequentiallyConsistent;
  }
  return MemoryOrder::Unknown;
}

AtomicOrdering orderingOf(const Instruction& instruction) {
  if (const auto* load = dyn_cast<LoadInst>(&instruction))
    return load->getOrdering();
  if (const auto* store = dyn_cast<StoreInst>(&instruction))
    return store->getOrdering();
  if (const auto* update = dyn_cast<AtomicRMWInst>(&instruction))
    return update->getOrdering();
  if (const auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return exchange->getSuccessOrdering();
  const auto& fence = cast<FenceInst>(instruction);
  // A signal fence orders nothing for other threads.
  return fence.getSyncScopeID() == SyncScope::SingleThread ? AtomicOrdering::Monotonic
                                                           : fence.getOrdering();
}

/// The expected value of a compare-exchange as a number, if it fits.
Value* comparedValue(AtomicCmpXchgInst& exchange, IRBuilder<>& builder) {
  Value* expected = exchange.getCompareOperand();
  Type* type = expected->getType();
  if (exchange.getDataLayout().getTypeStoreSize(type) > 8)
    return nullptr;
  return type->isPointerTy() ? builder.CreatePtrToInt(expected, builder.getInt64Ty())
                             : builder.CreateZExt(expected, builder.getInt64Ty());
}

// Where the out-of-line part of `if (*tested != 0)` before the instruction ends. The load is
// volatile: only the runtime writes these bytes, and it may do so while the function runs.
Instruction* emitTest(Instruction& before, Type* type, Constant* tested) {
  IRBuilder<> builder(&before);
  Value* isSet = builder.CreateIsNotNull(builder.CreateLoad(type, tested, /*isVolatile=*/true));
  MDNode* weights = MDBuilder(before.getContext()).createUnlikelyBranchWeights();
  return SplitBlockAndInsertIfThen(isSet, before.getIterator(), /*Unreachable=*/false, weights);
}

} // namespace

HookEmitter::HookEmitter(Module& module, const ModuleSites& sites, const SiteArrays& arrays)
    : sites_(sites), arrays_(arrays) {
  Type* pointer = PointerType::getUnqual(module.getContext());
  Type* length = Type::getInt64Ty(module.getContext());
  access_ = declareHook(module, "__heddle_access", {pointer, pointer});
  atomic_ = declareHook(module, "__heddle_atomic",
                        {pointer, pointer, Type::getInt32Ty(module.getContext()), length});
  range_ = declareHook(module, "__heddle_range", {pointer, length, pointer});
  call_ = declareHook(module, "__heddle_call", {pointer});
  spin_ = declareHook(module, "__heddle_spin", {pointer});
  unseen_ = declareHook(module, "__heddle_unseen", {pointer, pointer});
  passing_ = declareHook(module, "__heddle_passing", {pointer, pointer});
  seen_ = declareHook(module, "__heddle_seen", {pointer});
}

bool HookEmitter::hasHook(uint32_t number, bool syncOnly) const {
  const Site& site = sites_.sites[number];
  if (site.kind == SiteKind::Call)
    return site.flags & (kSiteSync | kSiteUnseen);
  return site.kind == SiteKind::Spin || !syncOnly;
}

CallInst* HookEmitter::emitAtomic(Instruction& instruction, const Site& site, Constant* id,
                                  IRBuilder<>& builder) {
  MemoryOrder order =
      site.flags & kSiteAssembly ? assemblyOrder(site.kind) : modelOrder(orderingOf(instruction));
  MemoryOrder whenFailed = MemoryOrder::Unknown;
  Value* expected = nullptr;
  if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    if ((expected = comparedValue(*exchange, builder)))
      whenFailed = modelOrder(exchange->getFailureOrdering());
  if (!expected)
    expected = builder.getInt64(0);
  return builder.CreateCall(atomic_, {accessedAddress(instruction, site, builder), id,
                                      builder.getInt32(packOrders(order, whenFailed)), expected});
}

void HookEmitter::emit(Instruction& instruction, uint32_t number) {
  const Site& site = sites_.sites[number];
  SiteKind kind = site.kind;
  LLVMContext& context = instruction.getContext();
  Constant* id = arrays_.id(number);
  Instruction* cold = kind == SiteKind::Spin
                          ? emitTest(instruction, Type::getInt32Ty(context), id)
                          : emitTest(instruction, Type::getInt8Ty(context), arrays_.mode(number));
  IRBuilder<> builder(cold);
  builder.SetCurrentDebugLocation(instruction.getDebugLoc());
  CallInst* call = nullptr;
  switch (kind) {
  case SiteKind::Read:
  case SiteKind::Write:
    call = builder.CreateCall(access_, {accessedAddress(instruction, site, builder), id});
    if (kind == SiteKind::Read && isa<LoadInst>(instruction) && !instruction.isVolatile())
      call->addFnAttr(Attribute::get(context, kReadHook));
    break;
  case SiteKind::AtomicRead:
  case SiteKind::AtomicWrite:
  case SiteKind::AtomicUpdate:
  case SiteKind::Fence:
    call = emitAtomic(instruction, site, id, builder);
    break;
  case SiteKind::RangeRead:
  case SiteKind::RangeWrite:
    call = builder.CreateCall(range_, {accessedAddress(instruction, site, builder),
                                       rangeLength(instruction, builder), id});
    break;
  case SiteKind::Call:
    call = site.flags & kSiteUnseen ? emitUnseen(cast<CallBase>(instruction), site, id, builder)
                                    : builder.CreateCall(call_, {id});
    break;
  case SiteKind::Spin:
    call = builder.CreateCall(spin_, {id});
    break;
  case SiteKind::Enter:
    call = builder.CreateCall(access_, {enteredObject(*instruction.getFunction(), number), id});
    call->addFnAttr(Attribute::get(context, kEnterHook));
    break;
  }
  call->setCallingConv(CallingConv::PreserveMost);
  if (kind == SiteKind::Call && (site.flags & kSiteUnseen) && !(site.flags & kSiteAssembly))
    emitReturn(cast<CallBase>(instruction), number);
}

static bool isThroughPointer(const Site& site) {
  return site.kind == SiteKind::Call && (site.flags & kSiteUnseen) &&
         !(site.flags & kSiteAssembly) && site.callee.empty();
}

CallInst* HookEmitter::emitUnseen(CallBase& call, const Site& site, Constant* id,
                                  IRBuilder<>& builder) {
  Value* callee = isThroughPointer(site)
                      ? call.getCalledOperand()
                      : ConstantPointerNull::get(PointerType::getUnqual(call.getContext()));
  return builder.CreateCall(unseen_, {id, callee});
}

void HookEmitter::emitPassing(CallBase& call, uint32_t number) {
  Instruction* cold = emitTest(call, Type::getInt8Ty(call.getContext()), arrays_.mode(number));
  IRBuilder<> builder(cold);
  builder.SetCurrentDebugLocation(call.getDebugLoc());
  builder.CreateCall(passing_, {arrays_.id(number), call.getCalledOperand()})
      ->setCallingConv(CallingConv::PreserveMost);
}

void HookEmitter::emitReturn(CallBase& call, uint32_t number) {
  Instruction* after = nullptr;
  if (auto* invoke = dyn_cast<InvokeInst>(&call)) {
    BasicBlock* normal = invoke->getNormalDest();
    if (!normal->getSinglePredecessor())
      normal = SplitEdge(invoke->getParent(), normal);
    after = &*normal->getFirstInsertionPt();
  } else if (isa<CallInst>(call) && !call.isMustTailCall() && !call.doesNotReturn()) {
    after = call.getNextNode();
  }
  if (!after)
    return;
  Instruction* cold = emitTest(*after, Type::getInt8Ty(call.getContext()), arrays_.mode(number));
  IRBuilder<> builder(cold);
  builder.SetCurrentDebugLocation(call.getDebugLoc());
  builder.CreateCall(seen_, {arrays_.id(number)})->setCallingConv(CallingConv::PreserveMost);
}

Value* HookEmitter::enteredObject(Function& function, uint32_t number) const {
  const Site& site = sites_.sites[number];
  if (site.global)
    return site.global;
  if (site.parameter < 0)
    return ConstantPointerNull::get(PointerType::getUnqual(function.getContext()));
  return function.getArg(static_cast<unsigned>(site.parameter));
}

void HookEmitter::hookEntries(const FunctionSites& sites, Instruction& before) {
  for (uint32_t number = sites.firstSite; number < sites.firstSite + sites.siteCount; ++number)
    if (sites_.sites[number].kind == SiteKind::Enter)
      emit(before, number);
}

void HookEmitter::hookFunction(Function& function, bool syncOnly) {
  std::vector<std::pair<Instruction*, uint32_t>> work;
  for (Instruction& instruction : instructions(function))
    for (uint32_t number : sitesOf(instruction))
      if (hasHook(number, syncOnly))
        work.emplace_back(&instruction, number);
  if (!work.empty())
    dropPromises(function);
  for (auto [instruction, number] : work)
    if (syncOnly && isThroughPointer(sites_.sites[number]))
      emitPassing(cast<CallBase>(*instruction), number);
    else
      emit(*instruction, number);
}

void HookEmitter::hookAll(Function& function) { hookFunction(function, /*syncOnly=*/false); }
void HookEmitter::hookSyncOnly(Function& function) { hookFunction(function, /*syncOnly=*/true); }

} // namespace heddle::pass
