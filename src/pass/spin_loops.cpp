#include "spin_loops.h"

#include "assembly.h"
#include "quiet_functions.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <optional>
#include <set>

using namespace llvm;

namespace heddle::pass {
namespace {

const AllocaInst* localOf(const Value* address) {
  return dyn_cast<AllocaInst>(getUnderlyingObject(address, /*MaxLookup=*/0));
}

bool isAtomicUpdate(const Instruction& instruction) {
  const auto* call = dyn_cast<CallBase>(&instruction);
  return isa<AtomicCmpXchgInst, AtomicRMWInst>(instruction) ||
         (call && call->isInlineAsm() && assemblyEffect(*call).updates());
}

/// Decides whether one loop only waits. With memory unchanged, such a loop would run forever: it
/// has no lasting effect, whether it ends follows from memory that it reads, and nothing that
/// decides it changes from one round to the next by the loop's own doing.
class WaitCheck {
public:
  WaitCheck(const Loop& loop, QuietFunctions& quiet) : loop_(loop), quiet_(quiet) {}

  /// What reads the memory that the loop waits for; null if the loop does more than wait.
  const Instruction* condition() {
    if (!isQuiet())
      return nullptr;
    pushExitConditions();
    while (!work_.empty()) {
      const Instruction* next = work_.pop_back_val();
      if (!follow(*next))
        return nullptr;
    }
    return reads_;
  }

private:
  bool isQuiet() {
    for (const BasicBlock* block : loop_.blocks())
      for (const Instruction& instruction : *block) {
        Quietness effect = quiet_.ofInstruction(instruction);
        if (!effect.quiet || !effect.writtenArguments.empty())
          return false;
      }
    return true;
  }

  void push(const Value* value) {
    const auto* instruction = dyn_cast<Instruction>(value);
    if (instruction && loop_.contains(instruction) && seen_.insert(instruction).second)
      work_.push_back(instruction);
  }

  void pushBranchCondition(const BasicBlock* block) {
    const Instruction* terminator = block->getTerminator();
    if (const auto* branch = dyn_cast<BranchInst>(terminator); branch && branch->isConditional())
      push(branch->getCondition());
    if (const auto* choice = dyn_cast<SwitchInst>(terminator))
      push(choice->getCondition());
  }

  void pushExitConditions() {
    SmallVector<BasicBlock*, 4> exiting;
    loop_.getExitingBlocks(exiting);
    for (const BasicBlock* block : exiting)
      pushBranchCondition(block);
  }

  // Adds what the instruction's value follows from. False: it changes by itself.
  bool follow(const Instruction& instruction) {
    if (const auto* phi = dyn_cast<PHINode>(&instruction))
      return followPhi(*phi);
    Quietness effect = quiet_.ofInstruction(instruction);
    if (effect.reads && !reads_)
      reads_ = &instruction;
    for (const Value* operand : instruction.operands()) {
      push(operand);
      if (operand->getType()->isPointerTy())
        if (const AllocaInst* local = localOf(operand); local && advances(*local))
          return false;
    }
    return true;
  }

  bool followPhi(const PHINode& phi) {
    if (phi.getParent() == loop_.getHeader() && dependsOnItself(phi))
      return false;
    for (const BasicBlock* block : phi.blocks()) {
      push(phi.getIncomingValueForBlock(block));
      if (!loop_.contains(block) || phi.getParent() == loop_.getHeader())
        continue;
      pushBranchCondition(block);
      if (const BasicBlock* before = block->getUniquePredecessor())
        pushBranchCondition(before);
    }
    return true;
  }

  // A counter, an iterator. Not so if the value is only handed on, or went through an atomic
  // update: the loop around a compare-exchange carries the value that it found.
  bool dependsOnItself(const PHINode& phi) const {
    using Step = std::pair<const Instruction*, bool>; // what, and whether it was computed with
    std::set<Step> visited;
    SmallVector<Step, 16> work{{&phi, false}};
    while (!work.empty()) {
      auto [next, computed] = work.pop_back_val();
      computed = computed || !isa<PHINode, SelectInst>(next);
      for (const Value* operand : next->operands()) {
        if (operand == &phi && computed)
          return true;
        const auto* instruction = dyn_cast<Instruction>(operand);
        if (!instruction || !loop_.contains(instruction) || isAtomicUpdate(*instruction))
          continue;
        if (visited.insert({instruction, computed}).second)
          work.push_back({instruction, computed});
      }
    }
    return false;
  }

  // Whether the loop changes a local that it reads: an iterator object, a volatile counter. The
  // "expected" of a compare-exchange may be reset to the same value, or set by the exchange.
  bool advances(const AllocaInst& local) {
    for (const BasicBlock* block : loop_.blocks())
      for (const Instruction& instruction : *block)
        if (writes(instruction, local) && !isSettled(instruction))
          return true;
    return false;
  }

  bool writes(const Instruction& instruction, const AllocaInst& local) {
    if (const auto* store = dyn_cast<StoreInst>(&instruction))
      return localOf(store->getPointerOperand()) == &local;
    const auto* call = dyn_cast<CallBase>(&instruction);
    if (!call || !call->mayWriteToMemory() || call->isLifetimeStartOrEnd())
      return false;
    return any_of(call->args(), [&](const Use& argument) {
      return argument->getType()->isPointerTy() && localOf(argument) == &local &&
             !onlyReads(*call, argument.getOperandNo());
    });
  }

  bool onlyReads(const CallBase& call, unsigned index) {
    const Function* callee = call.getCalledFunction();
    return callee && !quiet_.writesArgument(*callee, index);
  }

  bool isSettled(const Instruction& write) {
    if (const auto* store = dyn_cast<StoreInst>(&write))
      return loop_.isLoopInvariant(store->getValueOperand());
    return quiet_.ofInstruction(write).updates;
  }

  const Loop& loop_;
  QuietFunctions& quiet_;
  SmallPtrSet<const Instruction*, 16> seen_;
  SmallVector<const Instruction*, 16> work_;
  const Instruction* reads_ = nullptr;
};

std::optional<SpinLoop> asSpinLoop(const Loop& loop, QuietFunctions& quiet) {
  const Instruction* condition = WaitCheck(loop, quiet).condition();
  if (!condition)
    return std::nullopt;
  SpinLoop spin;
  spin.condition = condition;
  SmallVector<BasicBlock*, 4> latches;
  loop.getLoopLatches(latches);
  for (BasicBlock* latch : latches)
    spin.backEdges.push_back(latch->getTerminator());
  return spin;
}

} // namespace

SpinLoops findSpinLoops(Module& module, FunctionAnalysisManager& analyses) {
  SpinLoops result;
  QuietFunctions quiet;
  for (Function& function : module) {
    if (function.isDeclarationForLinker())
      continue;
    const LoopInfo& loops = analyses.getResult<LoopAnalysis>(function);
    for (const Loop* loop : loops.getLoopsInPreorder())
      if (std::optional<SpinLoop> spin = asSpinLoop(*loop, quiet))
        result[&function].push_back(std::move(*spin));
  }
  return result;
}

} // namespace heddle::pass
