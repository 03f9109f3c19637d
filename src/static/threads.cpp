#include "static/threads.h"

#include "llvm/Analysis/LoopInfo.h"

#include <algorithm>

using namespace llvm;

namespace heddle::analysis {

Threads::Threads(const CallGraph& graph) : graph_(graph), pointsTo_(graph.pointsTo()) {
  findOnce();
  collect();
  findDescendants();
}

void Threads::findOnce() {
  size_t count = pointsTo_.instances().size();
  once_.assign(count, 1);
  std::vector<char> entry(count, 0);
  for (InstanceId id : pointsTo_.entries())
    entry[raw(id)] = 1;
  bool changed = true;
  while (changed) {
    changed = false;
    for (uint32_t i = 0; i < count; ++i) {
      if (!once_[i])
        continue;
      auto callers = graph_.callers(static_cast<InstanceId>(i));
      bool once = callers.size() + entry[i] <= 1;
      for (const CallEdge& edge : callers) {
        const CallOp& call = pointsTo_.instance(edge.caller).body->calls[edge.call];
        once = once && once_[raw(edge.caller)] && !graph_.isInLoop(*call.instruction->getParent());
      }
      if (!once) {
        once_[i] = 0;
        changed = true;
      }
    }
  }
}

void Threads::collect() {
  executing_.resize(pointsTo_.instances().size());
  threads_.emplace_back();
  instances_.emplace_back();
  traverse(0, pointsTo_.entries());
  for (uint32_t i = 0; i < pointsTo_.instances().size(); ++i)
    for (const CallEdge& edge : graph_.calls(static_cast<InstanceId>(i))) {
      if (edge.kind != EdgeKind::Fork)
        continue;
      const CallOp& call = pointsTo_.instance(edge.caller).body->calls[edge.call];
      bool many = !once_[raw(edge.caller)] || graph_.isInLoop(*call.instruction->getParent());
      auto index = static_cast<uint32_t>(threads_.size());
      threads_.push_back({edge.caller, edge.call, call.instruction, edge.callee, many});
      byHandle_[{raw(edge.caller), call.instruction}].push_back(index);
      instances_.emplace_back();
      traverse(index, std::span(&edge.callee, 1));
    }
}

void Threads::traverse(uint32_t thread, std::span<const InstanceId> entries) {
  std::vector<InstanceId> stack(entries.begin(), entries.end());
  while (!stack.empty()) {
    InstanceId instance = stack.back();
    stack.pop_back();
    auto& executing = executing_[raw(instance)];
    if (!executing.empty() && executing.back() == thread)
      continue;
    executing.push_back(thread);
    instances_[thread].push_back(instance);
    for (const CallEdge& edge : graph_.calls(instance))
      if (edge.kind == EdgeKind::Call)
        stack.push_back(edge.callee);
  }
}

void Threads::findDescendants() {
  descendants_.resize(threads_.size());
  std::vector<std::vector<uint32_t>> children(threads_.size());
  for (uint32_t t = 1; t < threads_.size(); ++t)
    for (uint32_t parent : executing(threads_[t].creator))
      children[parent].push_back(t);
  for (uint32_t t = 0; t < threads_.size(); ++t) {
    std::vector<char> seen(threads_.size(), 0);
    std::vector<uint32_t> stack = children[t];
    while (!stack.empty()) {
      uint32_t next = stack.back();
      stack.pop_back();
      if (seen[next])
        continue;
      seen[next] = 1;
      descendants_[t].push_back(next);
      stack.insert(stack.end(), children[next].begin(), children[next].end());
    }
    std::sort(descendants_[t].begin(), descendants_[t].end());
  }
}

bool Threads::isSingle(ObjectId id) const {
  const Object& object = pointsTo_.object(id);
  switch (object.kind) {
  case ObjectKind::Global:
  case ObjectKind::Function:
    return !object.isThreadLocal();
  case ObjectKind::Local: {
    auto* local = cast<AllocaInst>(object.site);
    return once_[raw(object.creator)] && !graph_.isInLoop(*local->getParent());
  }
  case ObjectKind::Heap:
  case ObjectKind::Thread:
    return once_[raw(object.creator)] &&
           !graph_.isInLoop(*cast<Instruction>(object.site)->getParent());
  case ObjectKind::Thrown:
  case ObjectKind::Round:
    return false;
  }
  return false;
}

bool Threads::isOnePerRound(uint32_t thread, ObjectId round) const {
  const Object& object = pointsTo_.object(round);
  auto* phi = cast<PHINode>(object.site);
  const Loop* loop = graph_.loops(*phi->getFunction()).getLoopFor(phi->getParent());
  if (!loop || loop->getHeader() != phi->getParent())
    return false;
  // From the creation up to the function with the loop, as long as there is one way only.
  InstanceId instance = threads_[thread].creator;
  const Instruction* at = threads_[thread].creation;
  for (int depth = 0; depth < 12; ++depth) {
    if (instance == object.creator) {
      const Loop* around = graph_.loops(*phi->getFunction()).getLoopFor(at->getParent());
      return around == loop; // not in a loop inside it
    }
    auto callers = graph_.callers(instance);
    if (callers.size() != 1 || graph_.isInLoop(*at->getParent()))
      return false;
    at = pointsTo_.instance(callers[0].caller).body->calls[callers[0].call].instruction;
    instance = callers[0].caller;
  }
  return false;
}

std::span<const uint32_t> Threads::ofHandle(ObjectId handle) const {
  const Object& object = pointsTo_.object(handle);
  auto found = byHandle_.find({raw(object.creator), object.site});
  if (object.kind != ObjectKind::Thread || found == byHandle_.end())
    return {};
  return found->second;
}

} // namespace heddle::analysis
