#include "static/points_to/call_graph.h"

#include "static/budget/meter.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"

#include <algorithm>

using namespace llvm;

namespace heddle::analysis {

struct CallGraph::Shape {
  LoopInfo loops;
  DenseSet<const BasicBlock*> cyclic;
  DenseSet<const BasicBlock*> cleanup;

  Shape() = default; ///< of a function without branches
  explicit Shape(Function& function) {
    DominatorTree dominators(function); // large, and only needed here
    loops.analyze(dominators);
    for (auto it = scc_begin(&function); !it.isAtEnd(); ++it)
      if (it.hasCycle())
        for (const BasicBlock* block : *it)
          cyclic.insert(block);
    findCleanup(function, dominators);
  }

  void findCleanup(Function& function, const DominatorTree& dominators) {
    SmallVector<const BasicBlock*, 16> stack;
    SmallPtrSet<const BasicBlock*, 16> lasts; // blocks from which the function returns or goes on
    for (BasicBlock& block : function)
      if (isa<ReturnInst>(block.getTerminator()))
        stack.push_back(&block);
    while (!stack.empty()) {
      const BasicBlock* block = stack.pop_back_val();
      if (lasts.insert(block).second)
        stack.append(pred_begin(block), pred_end(block));
    }
    for (BasicBlock& block : function) {
      if (!block.isLandingPad() || lasts.contains(&block))
        continue;
      SmallVector<BasicBlock*, 16> dominated;
      dominators.getDescendants(&block, dominated);
      for (const BasicBlock* each : dominated)
        cleanup.insert(each);
      // Cleanups share their tails: what several of them lead to is one too.
      SmallVector<const BasicBlock*, 16> tails(dominated.begin(), dominated.end());
      while (!tails.empty())
        for (const BasicBlock* next : successors(tails.pop_back_val()))
          if (!lasts.contains(next) && !cleanup.contains(next) &&
              all_of(predecessors(next), [&](const BasicBlock* before) {
                return cleanup.contains(before) || before->isLandingPad();
              })) {
            cleanup.insert(next);
            tails.push_back(next);
          }
    }
  }
};

CallGraph::CallGraph(const PointsTo& pointsTo, Meter* meter)
    : pointsTo_(pointsTo), meter_(meter), straight_(std::make_unique<Shape>()) {
  auto sortedBy = [&](auto less, auto key, std::vector<CallEdge>& edges,
                      std::vector<uint32_t>& first) {
    edges.assign(pointsTo.edges().begin(), pointsTo.edges().end());
    std::sort(edges.begin(), edges.end(), less);
    first.assign(pointsTo.instances().size() + 1, 0);
    for (const CallEdge& edge : edges)
      ++first[raw(key(edge)) + 1];
    for (size_t i = 1; i < first.size(); ++i)
      first[i] += first[i - 1];
  };
  sortedBy(
      [](const CallEdge& a, const CallEdge& b) {
        return std::tuple(raw(a.caller), a.call, raw(a.callee)) <
               std::tuple(raw(b.caller), b.call, raw(b.callee));
      },
      [](const CallEdge& edge) { return edge.caller; }, out_, firstOut_);
  sortedBy(
      [](const CallEdge& a, const CallEdge& b) {
        return std::tuple(raw(a.callee), raw(a.caller), a.call) <
               std::tuple(raw(b.callee), raw(b.caller), b.call);
      },
      [](const CallEdge& edge) { return edge.callee; }, in_, firstIn_);
}

CallGraph::~CallGraph() = default;

void CallGraph::tick(size_t count, const char* what) const {
  if (meter_)
    meter_->tick(count, what);
}

std::span<const CallEdge> CallGraph::calls(InstanceId caller) const {
  return std::span(out_).subspan(firstOut_[raw(caller)],
                                 firstOut_[raw(caller) + 1] - firstOut_[raw(caller)]);
}

std::span<const CallEdge> CallGraph::calls(InstanceId caller, uint32_t call) const {
  auto all = calls(caller);
  auto begin = std::lower_bound(all.begin(), all.end(), call,
                                [](const CallEdge& edge, uint32_t c) { return edge.call < c; });
  auto end = std::upper_bound(begin, all.end(), call,
                              [](uint32_t c, const CallEdge& edge) { return c < edge.call; });
  return {begin, end};
}

std::span<const CallEdge> CallGraph::callers(InstanceId callee) const {
  return std::span(in_).subspan(firstIn_[raw(callee)],
                                firstIn_[raw(callee) + 1] - firstIn_[raw(callee)]);
}

int CallGraph::callIndex(const FunctionConstraints& body, const CallBase& call) const {
  if (indexed_.try_emplace(&body, 0).second)
    for (uint32_t i = 0; i < body.calls.size(); ++i)
      callIndices_[body.calls[i].instruction] = i;
  auto found = callIndices_.find(&call);
  return found == callIndices_.end() ? -1 : static_cast<int>(found->second);
}

const CallGraph::Shape& CallGraph::shape(const Function& function) const {
  if (function.size() == 1 && !llvm::is_contained(successors(&function.front()), &function.front()))
    return *straight_;
  auto& shape = shapes_[&function];
  if (!shape) // LLVM's analyses take functions that they could change; they do not
    shape = std::make_unique<Shape>(const_cast<Function&>(function));
  return *shape;
}

bool CallGraph::isInLoop(const BasicBlock& block) const {
  return shape(*block.getParent()).cyclic.contains(&block);
}

bool CallGraph::isCleanup(const BasicBlock& block) const {
  return shape(*block.getParent()).cleanup.contains(&block);
}

const LoopInfo& CallGraph::loops(const Function& function) const { return shape(function).loops; }

} // namespace heddle::analysis
