#include "late_cleanup.h"

#include "tables.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueHandle.h"

#include <optional>

using namespace llvm;

namespace heddle::pass {
namespace {

/// `if (*mode != 0) hook(...);` at the end of a block.
struct TestedHook {
  CallInst* call;
  LoadInst* mode;
  BasicBlock* cold;
  BasicBlock* next;
};

bool isGlobal(const Value* pointer, StringRef name) {
  auto* global = dyn_cast<GlobalVariable>(pointer->stripInBoundsConstantOffsets());
  return global && global->getName() == name;
}

bool isModeLoad(const Instruction& instruction) {
  auto* load = dyn_cast<LoadInst>(&instruction);
  return load && isGlobal(load->getPointerOperand(), kModesName);
}

LoadInst* testedMode(const BranchInst& branch) {
  auto* compare = dyn_cast<ICmpInst>(branch.getCondition());
  if (!compare || !compare->hasOneUse() || !compare->isEquality())
    return nullptr;
  auto* load = dyn_cast<LoadInst>(compare->getOperand(0));
  return load && load->hasOneUse() && isModeLoad(*load) ? load : nullptr;
}

bool isAccessHook(const Function& callee) {
  return callee.getName() == "__heddle_access" || callee.getName() == "__heddle_atomic";
}

/// The one call in the cold block, if it is that of a hook and nothing else there has an effect.
CallInst* onlyHook(BasicBlock& cold) {
  CallInst* found = nullptr;
  for (Instruction& instruction : cold) {
    auto* call = dyn_cast<CallInst>(&instruction);
    if (call && call->getCalledFunction() && !found && isAccessHook(*call->getCalledFunction()))
      found = call;
    else if (instruction.mayHaveSideEffects())
      return nullptr;
  }
  return found;
}

std::optional<TestedHook> hookAtEnd(BasicBlock& block) {
  auto* branch = dyn_cast<BranchInst>(block.getTerminator());
  if (!branch || !branch->isConditional())
    return std::nullopt;
  LoadInst* mode = testedMode(*branch);
  if (!mode)
    return std::nullopt;
  for (unsigned i = 0; i < 2; ++i) {
    BasicBlock* cold = branch->getSuccessor(i);
    BasicBlock* next = branch->getSuccessor(1 - i);
    if (cold->getSinglePredecessor() == &block && cold->getSingleSuccessor() == next)
      if (CallInst* call = onlyHook(*cold))
        return TestedHook{call, mode, cold, next};
  }
  return std::nullopt;
}

/// What a hook is told: two of them are the same event when all of it is equal.
struct Access {
  const Value* base;
  int64_t offset;
  const Value* site;
  bool operator==(const Access&) const = default;
};

Access accessOf(const CallInst& call, const DataLayout& layout) {
  const Value* address = call.getArgOperand(0);
  APInt offset(layout.getIndexTypeSizeInBits(address->getType()), 0);
  const Value* base =
      address->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  return {base, offset.getSExtValue(), call.getArgOperand(1)};
}

/// The shadow stack is nobody else's business.
bool isShadowStore(const Instruction& instruction) {
  auto* store = dyn_cast<StoreInst>(&instruction);
  return store && (isGlobal(store->getPointerOperand(), "__heddle_frame") ||
                   (isa<Constant>(store->getValueOperand()) &&
                    store->getValueOperand()->getType()->isPointerTy() &&
                    isGlobal(store->getValueOperand(), kSlotsName)));
}

bool endsRepetition(const Instruction& instruction) {
  return instruction.mayHaveSideEffects() && !isModeLoad(instruction) &&
         !isShadowStore(instruction) && !isa<DbgInfoIntrinsic>(instruction);
}

/// The top of the shadow stack along a path.
class FrameTracker {
public:
  explicit FrameTracker(const DataLayout& layout) : layout_(layout) {}

  /// A hook may look at the top, and leaves it as it is.
  void passHook() { unseen_ = nullptr; }

  /// May drop the instruction.
  void pass(Instruction& instruction) {
    auto* load = dyn_cast<LoadInst>(&instruction);
    if (load && isFrame(load->getPointerOperand()))
      return passLoad(*load);
    auto* store = dyn_cast<StoreInst>(&instruction);
    if (store && isFrame(store->getPointerOperand()))
      return passStore(*store);
    if (isModeLoad(instruction) || isShadowStore(instruction) || isa<DbgInfoIntrinsic>(instruction))
      return;
    if (instruction.mayReadOrWriteMemory()) // may fault: then the stack is shown
      unseen_ = nullptr;
    if (isa<CallBase>(instruction) && instruction.mayHaveSideEffects())
      top_ = nullptr;
  }

  bool changed() const { return changed_; }

private:
  static bool isFrame(const Value* pointer) { return isGlobal(pointer, "__heddle_frame"); }

  void passLoad(LoadInst& load) {
    if (!top_) {
      top_ = &load;
      return;
    }
    load.replaceAllUsesWith(top_);
    drop(load);
  }

  void passStore(StoreInst& store) {
    Value* value = store.getValueOperand();
    if (top_ && isSame(value, top_))
      return drop(store);
    if (unseen_)
      drop(*unseen_);
    unseen_ = &store;
    top_ = value;
  }

  void drop(Instruction& instruction) {
    instruction.eraseFromParent();
    changed_ = true;
  }

  bool isSame(const Value* one, const Value* other) const {
    unsigned bits = layout_.getIndexTypeSizeInBits(one->getType());
    APInt first(bits, 0), second(bits, 0);
    return one->stripAndAccumulateConstantOffsets(layout_, first, /*AllowNonInbounds=*/true) ==
               other->stripAndAccumulateConstantOffsets(layout_, second,
                                                        /*AllowNonInbounds=*/true) &&
           first == second;
  }

  const DataLayout& layout_;
  Value* top_ = nullptr;        ///< null: not known
  StoreInst* unseen_ = nullptr; ///< the last store of the top, as long as nobody can have seen it
  bool changed_ = false;
};

/// Straight code, followed through the tests of hooks.
class Path {
public:
  explicit Path(const DataLayout& layout) : layout_(layout), frame_(layout) {}

  /// Follows the path from its first block; whether a hook was dropped.
  bool follow(BasicBlock* block, SmallPtrSetImpl<BasicBlock*>& visited) {
    while (block && visited.insert(block).second)
      block = walk(*block);
    return changed_ || frame_.changed();
  }

private:
  /// The block in which the path goes on, or null.
  BasicBlock* walk(BasicBlock& block) {
    for (Instruction& instruction : make_early_inc_range(block)) {
      if (endsRepetition(instruction))
        seen_.clear();
      frame_.pass(instruction);
    }
    std::optional<TestedHook> hook = hookAtEnd(block);
    if (!hook)
      return followed(block.getSingleSuccessor(), 1);
    frame_.passHook();
    if (hook->call->hasFnAttr(kEnterHook)) // says where a unit of work begins, and changes nothing
      return followed(hook->next, 2);
    if (!hook->call->hasFnAttr(kReadHook)) {
      seen_.clear();
      return followed(hook->next, 2);
    }
    Access access = accessOf(*hook->call, layout_);
    if (!is_contained(seen_, access)) {
      seen_.push_back(access);
      return followed(hook->next, 2);
    }
    BasicBlock* next = hook->next;
    drop(block, *hook);
    return followed(next, 1);
  }

  static BasicBlock* followed(BasicBlock* next, unsigned edges) {
    return next && pred_size(next) == edges ? next : nullptr;
  }

  void drop(BasicBlock& block, const TestedHook& hook) {
    auto* branch = cast<BranchInst>(block.getTerminator());
    auto* compare = cast<Instruction>(branch->getCondition());
    hook.next->removePredecessor(hook.cold, /*KeepOneInputPHIs=*/true);
    BranchInst::Create(hook.next, branch->getIterator());
    branch->eraseFromParent();
    compare->eraseFromParent();
    hook.mode->eraseFromParent();
    hook.cold->eraseFromParent();
    changed_ = true;
  }

  const DataLayout& layout_;
  SmallVector<Access, 16> seen_;
  FrameTracker frame_;
  bool changed_ = false;
};

} // namespace

PreservedAnalyses LateCleanupPass::run(Function& function, FunctionAnalysisManager&) {
  const DataLayout& layout = function.getParent()->getDataLayout();
  SmallPtrSet<BasicBlock*, 32> visited;
  SmallVector<WeakTrackingVH, 32> blocks;
  for (BasicBlock& block : function)
    blocks.emplace_back(&block);
  bool changed = false;
  for (WeakTrackingVH& block : blocks)
    if (block)
      changed |= Path(layout).follow(cast<BasicBlock>(block), visited);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace heddle::pass
