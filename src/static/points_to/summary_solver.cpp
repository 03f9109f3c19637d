#include "static/points_to/summary_solver.h"

#include <deque>

namespace heddle::analysis {
namespace {

constexpr size_t kMoreLooks = 1000; // for all functions together: small programs need more each

/// Instances to look at, each once at a time, first in first out.
class WorkList {
public:
  explicit WorkList(size_t instances) : queued_(instances) {}

  void push(InstanceId id) {
    if (queued_[raw(id)])
      return;
    queued_[raw(id)] = true;
    queue_.push_back(id);
  }

  InstanceId pop() {
    InstanceId id = queue_.front();
    queue_.pop_front();
    queued_[raw(id)] = false;
    return id;
  }

  bool empty() const { return queue_.empty(); }
  size_t size() const { return queue_.size(); }

private:
  std::deque<InstanceId> queue_;
  std::vector<bool> queued_;
};

} // namespace

bool SummarySolver::solve(std::span<const InstanceId> functions, Update update) const {
  return solve(functions, update, [](InstanceId) { return std::span<const InstanceId>(); });
}

bool SummarySolver::solve(std::span<const InstanceId> functions, Update update,
                          Dependents dependents) const {
  WorkList work(graph_.pointsTo().instances().size());
  for (InstanceId id : functions)
    work.push(id);
  size_t looks = functions.size() * maxLooks_ + kMoreLooks;
  for (; !work.empty() && looks > 0; --looks) {
    graph_.tick(work.size(), "functions to go");
    InstanceId id = work.pop();
    if (!update(id))
      continue;
    for (const CallEdge& edge : graph_.callers(id))
      if (edge.kind == EdgeKind::Call)
        work.push(edge.caller);
    for (InstanceId each : dependents(id))
      work.push(each);
  }
  return work.empty();
}

std::vector<InstanceId> allInstances(const CallGraph& graph) {
  return withCallers(graph, [](InstanceId) { return true; });
}

std::vector<InstanceId> withCallers(const CallGraph& graph,
                                    llvm::function_ref<bool(InstanceId)> holds) {
  std::vector<bool> found(graph.pointsTo().instances().size());
  std::vector<InstanceId> stack;
  auto add = [&](InstanceId id) {
    if (!found[raw(id)]) {
      found[raw(id)] = true;
      stack.push_back(id);
    }
  };
  for (uint32_t i = 0; i < found.size(); ++i)
    if (holds(static_cast<InstanceId>(i)))
      add(static_cast<InstanceId>(i));
  while (!stack.empty()) {
    InstanceId id = stack.back();
    stack.pop_back();
    for (const CallEdge& edge : graph.callers(id))
      if (edge.kind == EdgeKind::Call)
        add(edge.caller);
  }
  std::vector<InstanceId> all;
  for (uint32_t i = 0; i < found.size(); ++i)
    if (found[i])
      all.push_back(static_cast<InstanceId>(i));
  return all;
}

} // namespace heddle::analysis
