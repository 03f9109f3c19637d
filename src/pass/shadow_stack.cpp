#include "shadow_stack.h"

#include "site_metadata.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace heddle::pass {
namespace {

struct CallSite {
  CallBase* call;
  uint32_t site;
};

std::vector<CallSite> callSites(Function& function, const ModuleSites& sites) {
  std::vector<CallSite> calls;
  for (Instruction& instruction : instructions(function))
    for (uint32_t number : sitesOf(instruction))
      if (auto* call = dyn_cast<CallBase>(&instruction))
        if (sites.sites[number].kind == SiteKind::Call)
          calls.push_back({call, number});
  return calls;
}

GlobalVariable* frameVariable(Module& module) {
  Type* pointer = PointerType::getUnqual(module.getContext());
  auto* frame = cast<GlobalVariable>(module.getOrInsertGlobal("__heddle_frame", pointer));
  if (frame->isDeclaration())
    frame->setLinkage(GlobalValue::ExternalWeakLinkage);
  return frame;
}

class ShadowStack {
public:
  ShadowStack(Function& function, Treatment treatment, const SiteArrays& arrays)
      : function_(function), arrays_(arrays),
        pointer_(PointerType::getUnqual(function.getContext())),
        entry_(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca()) {
    GlobalVariable* variable = frameVariable(*function.getParent());
    frame_ = treatment == Treatment::Single ? frameOrLocal(variable) : variable;
  }

  void addFrame(ArrayRef<CallSite> calls) {
    IRBuilder<> builder(entry_);
    builder.SetCurrentDebugLocation(DebugLoc());
    Value* top = builder.CreateLoad(pointer_, frame_);
    Value* above = next(builder, top);
    // The slot still has what an earlier callee stored there.
    builder.CreateStore(ConstantPointerNull::get(PointerType::getUnqual(function_.getContext())),
                        top);
    builder.CreateStore(above, frame_);
    for (const CallSite& call : calls) {
      store(*call.call, arrays_.id(call.site), top);
      // longjmp returns here from frames that did not give their slots back.
      if (auto* plainCall = dyn_cast<CallInst>(call.call);
          plainCall && plainCall->hasFnAttr(Attribute::ReturnsTwice))
        store(*plainCall->getNextNode(), above, frame_);
    }
    for (BasicBlock& block : function_) {
      if (block.isLandingPad())
        store(*block.getFirstInsertionPt(), above, frame_);
      if (Instruction* exit = exitOf(block))
        store(*exit, top, frame_);
    }
  }

  void addSlotPerCall(ArrayRef<CallSite> calls) {
    IRBuilder<> builder(&*function_.getEntryBlock().getFirstInsertionPt());
    AllocaInst* saved = builder.CreateAlloca(pointer_);
    for (const CallSite& call : calls)
      surroundWithSlot(call, saved);
    for (BasicBlock& block : function_)
      if (block.isLandingPad())
        restore(*block.getFirstInsertionPt(), saved);
  }

private:
  Value* next(IRBuilder<>& builder, Value* top) {
    return builder.CreateConstInBoundsGEP1_64(pointer_, top, 1);
  }

  static void store(Instruction& before, Value* value, Value* address) {
    IRBuilder<> builder(&before);
    builder.CreateStore(value, address);
  }

  Value* frameOrLocal(GlobalVariable* variable) {
    IRBuilder<> builder(&*function_.getEntryBlock().getFirstInsertionPt());
    builder.SetCurrentDebugLocation(DebugLoc());
    AllocaInst* slot = builder.CreateAlloca(pointer_);
    AllocaInst* local = builder.CreateAlloca(pointer_);
    builder.SetInsertPoint(entry_);
    builder.SetCurrentDebugLocation(DebugLoc());
    builder.CreateStore(slot, local);
    return builder.CreateSelect(builder.CreateIsNotNull(variable), variable, local);
  }

  // Where control leaves the function: a return, the tail call before it, or a resume.
  static Instruction* exitOf(BasicBlock& block) {
    if (CallInst* tail = block.getTerminatingMustTailCall())
      return tail;
    Instruction* terminator = block.getTerminator();
    return isa<ReturnInst, ResumeInst>(terminator) ? terminator : nullptr;
  }

  void surroundWithSlot(const CallSite& call, AllocaInst* saved) {
    if (call.call->isMustTailCall())
      return;
    IRBuilder<> builder(call.call);
    Value* top = builder.CreateLoad(pointer_, frame_);
    builder.CreateStore(top, saved);
    builder.CreateStore(arrays_.id(call.site), top);
    builder.CreateStore(next(builder, top), frame_);
    if (auto* invoke = dyn_cast<InvokeInst>(call.call))
      restore(*normalBlock(*invoke)->getFirstInsertionPt(), saved);
    else if (!call.call->doesNotReturn())
      restore(*call.call->getNextNode(), saved);
  }

  // A block that is reached only when the call returned.
  static BasicBlock* normalBlock(InvokeInst& invoke) {
    BasicBlock* block = invoke.getNormalDest();
    return block->getSinglePredecessor() ? block : SplitEdge(invoke.getParent(), block);
  }

  void restore(Instruction& before, AllocaInst* saved) {
    IRBuilder<> builder(&before);
    builder.CreateStore(builder.CreateLoad(pointer_, saved), frame_);
  }

  Function& function_;
  const SiteArrays& arrays_;
  Type* pointer_;
  Instruction* entry_;
  Value* frame_ = nullptr;
};

} // namespace

void addShadowStack(Function& function, Treatment treatment, const ModuleSites& sites,
                    const SiteArrays& arrays) {
  std::vector<CallSite> calls = callSites(function, sites);
  if (calls.empty())
    return;
  ShadowStack stack(function, treatment, arrays);
  if (function.isPresplitCoroutine())
    stack.addSlotPerCall(calls);
  else
    stack.addFrame(calls);
}

} // namespace heddle::pass
