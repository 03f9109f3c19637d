#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"

#include <optional>
#include <vector>

namespace heddle::analysis {

/// A forward analysis of one function: the state at the start of every block.
///
/// `Analysis` has
///   void step(State&, const Instruction&)                      one instruction's effect
///   void edge(State&, const State& before, const BasicBlock& from, const BasicBlock& to)
///                                 along an edge; `before` is the state before the terminator
///   bool merge(State& into, const State& from)                 true when `into` changed
template <typename State, typename Analysis> class Flow {
public:
  Flow(const llvm::Function& function, State entry, Analysis& analysis) : analysis_(analysis) {
    llvm::ReversePostOrderTraversal<const llvm::Function*> order(&function);
    for (const llvm::BasicBlock* block : order)
      blocks_.push_back(block);
    states_[&function.getEntryBlock()] = std::move(entry);
    bool changed = true;
    while (changed) {
      changed = false;
      for (const llvm::BasicBlock* block : blocks_)
        changed |= pass(*block);
    }
  }

  /// Null for blocks that are never reached.
  const State* at(const llvm::BasicBlock& block) const {
    auto found = states_.find(&block);
    return found == states_.end() ? nullptr : &found->second;
  }

  /// Calls visit(State before, instruction) for all of them.
  template <typename Visit> void each(Visit visit) {
    for (const llvm::BasicBlock* block : blocks_) {
      const State* start = at(*block);
      if (!start)
        continue;
      State state = *start;
      for (const llvm::Instruction& instruction : *block) {
        visit(static_cast<const State&>(state), instruction);
        analysis_.step(state, instruction);
      }
    }
  }

private:
  bool pass(const llvm::BasicBlock& block) {
    const State* start = at(block);
    if (!start)
      return false;
    State before = *start;
    State state = *start;
    for (const llvm::Instruction& instruction : block) {
      if (instruction.isTerminator())
        before = state;
      analysis_.step(state, instruction);
    }
    bool changed = false;
    for (const llvm::BasicBlock* next : successors(&block)) {
      State out = state;
      analysis_.edge(out, before, block, *next);
      auto [entry, isNew] = states_.try_emplace(next, out);
      changed |= isNew || analysis_.merge(entry->second, out);
    }
    return changed;
  }

  Analysis& analysis_;
  std::vector<const llvm::BasicBlock*> blocks_;
  llvm::DenseMap<const llvm::BasicBlock*, State> states_;
};

} // namespace heddle::analysis
