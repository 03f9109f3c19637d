#include "static/sync/threads.h"

#include "llvm/Analysis/CFG.h"
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
  case ObjectKind::Iteration:
  case ObjectKind::Copy:
    return false;
  }
  return false;
}

namespace {

// Between a loop and the creation of its threads lie a few functions.
constexpr size_t kMaxBetween = 64;

const Loop* loopOf(const PHINode& phi, const CallGraph& graph) {
  const Loop* loop = graph.loops(*phi.getFunction()).getLoopFor(phi.getParent());
  return loop && loop->getHeader() == phi.getParent() ? loop : nullptr;
}

/// Whether one follows the other in a run of the function, or in an iteration of the loop.
bool follows(const Instruction& one, const Instruction& other, const Loop* loop) {
  SmallPtrSet<BasicBlock*, 1> nextIteration;
  if (loop)
    nextIteration.insert(loop->getHeader());
  return isPotentiallyReachable(&one, &other, &nextIteration);
}

} // namespace

bool Threads::findWays(InstanceId instance, const Instruction* place, InstanceId top,
                       Ways& found) const {
  std::vector<InstanceId> stack;
  auto add = [&](InstanceId at, const Instruction* site) {
    auto [entry, isNew] = found.try_emplace(at);
    if (!is_contained(entry->second, site))
      entry->second.push_back(site);
    if (isNew && at != top)
      stack.push_back(at);
  };
  add(instance, place);
  while (!stack.empty() && found.size() < kMaxBetween) {
    InstanceId at = stack.back();
    stack.pop_back();
    auto callers = graph_.callers(at);
    if (callers.empty())
      return false;
    for (const CallEdge& edge : callers) {
      if (edge.kind == EdgeKind::Fork)
        return false;
      add(edge.caller, pointsTo_.instance(edge.caller).body->calls[edge.call].instruction);
    }
  }
  return stack.empty() && found.contains(top);
}

bool Threads::findCreations(uint32_t thread, InstanceId top, Ways& found) const {
  return thread != 0 && findWays(threads_[thread].creator, threads_[thread].creation, top, found);
}

bool Threads::isOnePerIteration(uint32_t thread, uint32_t other, ObjectId iteration) const {
  const Object& object = pointsTo_.object(iteration);
  const Loop* loop = loopOf(*cast<PHINode>(object.site), graph_);
  return loop && isOnePerIteration(thread, other, object.creator, *loop);
}

bool Threads::isOnePerIteration(uint32_t thread, uint32_t other, InstanceId maker,
                                const Loop& loop) const {
  Ways creations;
  if (!findCreations(thread, maker, creations) || !findCreations(other, maker, creations))
    return false;
  for (const auto& [instance, sites] : creations) {
    const Loop* around = instance == maker ? &loop : nullptr;
    for (const Instruction* site : sites) {
      if (around ? graph_.loops(*site->getFunction()).getLoopFor(site->getParent()) != around
                 : graph_.isInLoop(*site->getParent()))
        return false;
      for (const Instruction* next : sites)
        if (next != site && follows(*site, *next, around))
          return false;
    }
  }
  return true;
}

bool Threads::isBeforeCreation(const Instruction& at, uint32_t thread, ObjectId iteration) const {
  const Object& object = pointsTo_.object(iteration);
  const Loop* loop = loopOf(*cast<PHINode>(object.site), graph_);
  Ways creations;
  if (!loop || !loop->contains(at.getParent()) || !findCreations(thread, object.creator, creations))
    return false;
  return none_of(creations[object.creator],
                 [&](const Instruction* site) { return follows(*site, at, loop); });
}

std::span<const uint32_t> Threads::ofHandle(ObjectId handle) const {
  const Object& object = pointsTo_.object(handle);
  auto found = byHandle_.find({raw(object.creator), object.site});
  if (object.kind != ObjectKind::Thread || found == byHandle_.end())
    return {};
  return found->second;
}

} // namespace heddle::analysis
