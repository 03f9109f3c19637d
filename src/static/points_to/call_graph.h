#pragma once

#include "static/points_to/points_to.h"

#include <memory>

namespace llvm {
class DominatorTree;
class Loop;
class LoopInfo;
} // namespace llvm

namespace heddle::analysis {

class Meter;

/// The solved call graph, by instance, and what functions say of their loops.
class CallGraph {
public:
  explicit CallGraph(const PointsTo& pointsTo, Meter* meter = nullptr);
  ~CallGraph();

  /// Edges out of an instance, sorted by call, and into it.
  std::span<const CallEdge> calls(InstanceId caller) const;
  std::span<const CallEdge> calls(InstanceId caller, uint32_t call) const;
  std::span<const CallEdge> callers(InstanceId callee) const;

  /// Index into FunctionConstraints::calls; -1 for a call that the body does not have.
  int callIndex(const FunctionConstraints& body, const llvm::CallBase& call) const;
  bool isInLoop(const llvm::BasicBlock& block) const;
  /// Whether the block only cleans up while an exception passes: nothing after it returns.
  bool isCleanup(const llvm::BasicBlock& block) const;
  const llvm::LoopInfo& loops(const llvm::Function& function) const;
  const PointsTo& pointsTo() const { return pointsTo_; }
  /// For loops over the graph: has the budget looked at and the progress told.
  void tick(size_t count = 0, const char* what = "") const;

private:
  struct Shape;
  const Shape& shape(const llvm::Function& function) const;

  const PointsTo& pointsTo_;
  Meter* meter_;
  std::vector<CallEdge> out_, in_;
  std::vector<uint32_t> firstOut_, firstIn_;
  std::unique_ptr<const Shape> straight_; ///< shared by all functions of one block
  mutable llvm::DenseMap<const llvm::Function*, std::unique_ptr<Shape>> shapes_;
  mutable llvm::DenseMap<const llvm::CallBase*, uint32_t> callIndices_;
  mutable llvm::DenseMap<const FunctionConstraints*, char> indexed_;
};

} // namespace heddle::analysis
