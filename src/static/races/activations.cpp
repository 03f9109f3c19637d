#include "static/races/activations.h"

#include "static/ir/standard_library.h"

#include "model/ids.h"

using namespace llvm;

namespace heddle::analysis {
namespace {

// More ways than these into one instance share one, with what is common to all.
constexpr uint32_t kMaxWays = 24;
constexpr size_t kMaxCallers = 8;
constexpr auto kAnyLocks = static_cast<LockSetId>(UINT32_MAX);

bool has(const CallOp& call, Effect effect) { return call.model && call.model->effect == effect; }

} // namespace

Activations::Activations(const CallGraph& graph, const Threads& threads, Locks& locks,
                         MayHappenInParallel& parallel, const Freshness& freshness,
                         const Ownership& ownership)
    : graph_(graph), threads_(threads), locks_(locks), parallel_(parallel), freshness_(freshness),
      ownership_(ownership) {
  idOf(LockSet{});
  idOf(BitVector(threads.all().size()));
  for (uint32_t thread = 0; thread < threads.all().size(); ++thread) {
    auto start = [&](InstanceId entry) {
      enter({entry,
             thread,
             idOf(locks.atStart(thread)),
             AliveId::Nobody,
             {},
             nullptr,
             static_cast<uint32_t>(activations_.size()),
             nullptr});
    };
    if (thread == 0)
      for (InstanceId entry : graph.pointsTo().entries())
        start(entry);
    else
      start(threads.all()[thread].entry);
  }
  runAll();
  runAtExit();
}

void Activations::runAll() {
  while (!queue_.empty()) {
    graph_.tick(activations_.size(), "ways into functions");
    uint32_t index = queue_.back();
    queue_.pop_back();
    run(index);
  }
}

/// The main thread runs what was registered, after the end of main.
void Activations::runAtExit() {
  AliveId alive = idOf(aliveAtExit());
  while (!atExit_.empty()) {
    std::vector<Activation> registered;
    registered.swap(atExit_);
    for (Activation& each : registered) {
      each.thread = 0;
      each.alive = alive;
      enter(each);
    }
    runAll();
  }
}

/// Those that main has not joined when it returns; where the program is ended by a call of exit,
/// anybody.
BitVector Activations::aliveAtExit() const {
  const PointsTo& pointsTo = graph_.pointsTo();
  BitVector alive(threads_.all().size());
  for (InstanceId entry : pointsTo.entries())
    for (const BasicBlock& block : *pointsTo.instance(entry).body->function)
      if (auto* end = dyn_cast<ReturnInst>(block.getTerminator()))
        alive |= parallel_.aliveAt(entry, BitVector(alive.size()), *end);
  for (const Instance& instance : pointsTo.instances())
    if (any_of(instance.body->calls, [](const CallOp& call) { return has(call, Effect::Exit); }))
      alive.set();
  return alive;
}

LockSetId Activations::idOf(const LockSet& locks) {
  std::vector<uint64_t> key;
  for (const HeldLock& lock : locks)
    key.push_back(mix(mix(static_cast<uint32_t>(lock.path), raw(lock.location)),
                      lock.exclusive + 2 * lock.handOver));
  std::sort(key.begin(), key.end());
  auto [found, isNew] = lockSetIds_.try_emplace(key, static_cast<LockSetId>(lockSets_.size()));
  if (isNew)
    lockSets_.push_back(locks);
  return found->second;
}

AliveId Activations::idOf(const BitVector& alive) {
  auto [found, isNew] = aliveIds_.try_emplace(alive, static_cast<AliveId>(aliveSets_.size()));
  if (isNew)
    aliveSets_.push_back(alive);
  return found->second;
}

static uint64_t hashOf(const FreshParameters& fresh) {
  uint64_t hash = mix(fresh.fresh, fresh.pure);
  hash = mix(hash, uint64_t{fresh.tied} << 32 | fresh.loose);
  return mix(hash, uint64_t{fresh.steady} << 2 | uint64_t{fresh.last} << 1 | uint64_t{fresh.owned});
}

size_t Activations::KeyHash::operator()(const Key& key) const {
  const auto& [instance, thread, locks, alive, fresh, call] = key;
  uint64_t hash = mix(uint64_t{instance} << 32 | thread, uint64_t{locks} << 32 | alive);
  return mix(mix(hash, hashOf(fresh)), reinterpret_cast<uintptr_t>(call));
}

size_t Activations::KeyHash::operator()(const StepKey& key) const {
  const auto& [instance, locks, fresh] = key;
  return mix(uint64_t{instance} << 32 | locks, hashOf(fresh));
}

void Activations::enter(const Activation& activation) {
  Key key{raw(activation.instance),
          activation.thread,
          static_cast<uint32_t>(activation.locks),
          static_cast<uint32_t>(activation.alive),
          activation.fresh,
          activation.userCall};
  if (auto known = known_.find(key); known != known_.end())
    return noteCaller(known->second, activation);
  uint32_t& count = counts_[{raw(activation.instance), activation.thread}];
  if (count >= kMaxWays)
    return share(activation, count);
  ++count;
  known_[key] = activations_.size();
  queue_.push_back(activations_.size());
  activations_.push_back(activation);
}

/// Ways that hold the same locks share one, in which everybody is alive who is so in one of them.
/// When there are many of these, too, all share one that holds what is held in all.
void Activations::share(const Activation& activation, uint32_t& count) {
  std::tuple key{raw(activation.instance), activation.thread, activation.locks};
  if (count >= 2 * kMaxWays && !shared_.contains(key))
    std::get<LockSetId>(key) = kAnyLocks;
  auto [found, isNew] = shared_.try_emplace(key, static_cast<uint32_t>(activations_.size()));
  uint32_t index = found->second;
  if (isNew) {
    ++count;
    queue_.push_back(index);
    activations_.push_back(activation);
    return;
  }
  Activation& shared = activations_[index];
  LockSet locks = lockSet(shared.locks);
  intersect(locks, lockSet(activation.locks));
  BitVector alive = this->alive(shared.alive);
  alive |= this->alive(activation.alive);
  Activation both = shared;
  both.locks = idOf(locks);
  both.alive = idOf(alive);
  both.fresh = shared.fresh & activation.fresh;
  if (!both.userCall)
    both.userCall = activation.userCall;
  if (both.locks != shared.locks || both.alive != shared.alive || both.fresh != shared.fresh ||
      both.userCall != shared.userCall) {
    shared = both;
    queue_.push_back(index);
  }
  noteCaller(index, activation);
}

void Activations::noteCaller(uint32_t known, const Activation& again) {
  Caller caller{again.parent, again.call};
  const Activation& first = activations_[known];
  if (caller == Caller{first.parent, first.call})
    return;
  auto& others = otherCallers_[known];
  if (others.size() < kMaxCallers && !is_contained(others, caller))
    others.push_back(caller);
}

const std::vector<Activations::CallStep>& Activations::stepsOf(const Activation& activation) {
  StepKey key{raw(activation.instance), static_cast<uint32_t>(activation.locks), activation.fresh};
  auto [found, isNew] = steps_.try_emplace(key);
  if (!isNew || graph_.calls(activation.instance).empty())
    return found->second;
  std::vector<CallStep> steps;
  const PointsTo& pointsTo = graph_.pointsTo();
  const FunctionConstraints& body = *pointsTo.instance(activation.instance).body;
  LockSet entering = lockSet(activation.locks);
  auto freshness = freshness_.of(activation.instance, activation.fresh);
  auto ownership = ownership_.of(activation.instance, activation.fresh);
  locks_.each(activation.instance, entering, [&](const LockSet& held, const Instruction& at) {
    auto* call = dyn_cast<CallBase>(&at);
    int which = call ? graph_.callIndex(body, *call) : -1;
    auto edges = which < 0 ? std::span<const CallEdge>{} : graph_.calls(activation.instance, which);
    if (edges.empty() || graph_.isCleanup(*at.getParent()))
      return;
    const CallOp& op = body.calls[which];
    for (const CallEdge& edge : edges) {
      CallStep step{edge, LockSetId::Empty, {}};
      if (edge.kind == EdgeKind::Call) {
        // Nothing is held then.
        bool later = has(op, Effect::CallsLater) || has(op, Effect::CallsAtExit);
        if (!later)
          step.locks = idOf(locks_.inCallee(held, activation.instance, op, edge.callee));
        if (!op.model)
          step.fresh = freshness->atCall(*call, *pointsTo.instance(edge.callee).body);
        if (!op.model && ownership)
          ownership->atCall(*call, edge.callee, step.fresh);
      }
      steps.push_back(step);
    }
  });
  return steps_[key] = std::move(steps);
}

void Activations::run(uint32_t index) {
  Activation activation = activations_[index];
  const PointsTo& pointsTo = graph_.pointsTo();
  const FunctionConstraints& body = *pointsTo.instance(activation.instance).body;
  bool library = isLibrary(*body.function);
  bool constant = parallel_.isConstant(activation.instance);
  const CallBase* last = nullptr;
  AliveId alive = activation.alive;
  for (const CallStep& step : stepsOf(activation)) {
    const CallOp& op = body.calls[step.edge.call];
    const CallBase* call = op.instruction;
    if (!constant && call != last)
      alive = idOf(parallel_.aliveAt(activation.instance, this->alive(activation.alive), *call));
    last = call;
    if (step.edge.kind == EdgeKind::Fork) {
      parallel_.start(activation.instance, step.edge.call, this->alive(alive));
      continue;
    }
    const Function& callee = *pointsTo.instance(step.edge.callee).body->function;
    const CallBase* userCall = !isLibrary(callee) ? nullptr : library ? activation.userCall : call;
    Activation next{step.edge.callee, activation.thread, step.locks, alive,
                    step.fresh,       userCall,          index,      call};
    if (has(op, Effect::CallsAtExit))
      atExit_.push_back(next);
    else
      enter(next);
  }
}

} // namespace heddle::analysis
