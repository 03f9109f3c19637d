#pragma once

#include "static/points_to/call_graph.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace heddle::analysis {

/// Finds what functions do as a whole, from callees to callers: a summary is looked at again when
/// that of a function it calls has changed, until nothing changes. Functions that call each other
/// can change each other's summaries for ever; there is a limit, and whoever asks is told.
class SummarySolver {
public:
  /// How often functions are looked at, on average, before it gives up: recursion settles long
  /// before.
  static constexpr size_t kMaxLooks = 40;

  explicit SummarySolver(const CallGraph& graph, size_t maxLooks = kMaxLooks)
      : graph_(graph), maxLooks_(maxLooks) {}

  /// Makes one function's summary; whether it has changed.
  using Update = llvm::function_ref<bool(InstanceId)>;
  /// Functions besides the callers whose summaries depend on one that has changed.
  using Dependents = llvm::function_ref<std::span<const InstanceId>(InstanceId)>;

  /// Whether it came to an end. The functions are looked at in the given order first.
  bool solve(std::span<const InstanceId> functions, Update update) const;
  bool solve(std::span<const InstanceId> functions, Update update, Dependents dependents) const;

private:
  const CallGraph& graph_;
  size_t maxLooks_;
};

/// All instances of the graph, in their order.
std::vector<InstanceId> allInstances(const CallGraph& graph);

/// The instances for which it holds and those that call them, directly or not, in their order.
std::vector<InstanceId> withCallers(const CallGraph& graph,
                                    llvm::function_ref<bool(InstanceId)> holds);

} // namespace heddle::analysis
