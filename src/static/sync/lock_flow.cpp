#include "static/sync/lock_flow.h"

#include "static/ir/standard_library.h"

using namespace llvm;

namespace heddle::analysis {
bool isLockEffect(Effect effect) {
  switch (effect) {
  case Effect::LockExclusive:
  case Effect::LockShared:
  case Effect::TryLockExclusive:
  case Effect::TryLockShared:
  case Effect::Unlock:
  case Effect::LockAll:
  case Effect::GuardAcquire:
  case Effect::GuardRelease:
  case Effect::Once:
    return true;
  default:
    return false;
  }
}

void LockFlow::step(LockState& state, const Instruction& instruction) const {
  if (!isa<PHINode>(instruction) && !instruction.getType()->isVoidTy())
    sets.forget(state.held, instruction);
  stepLocks(state, instruction);
  if (!handOvers.concerns(id))
    return;
  for (LocationId place : handOvers.setBy(id, instruction))
    give(state, handOver(place, true), {});
  if (LocationId place = handOvers.awaitedBy(id, instruction); place != LocationId::None)
    acquire(state.held, handOver(place, false));
}

void LockFlow::stepLocks(LockState& state, const Instruction& instruction) const {
  if (spinLocks.concerns(id))
    if (SpinLocks::Use use = spinLocks.at(id, instruction); use.base) {
      if (!use.taking) // else the outcome decides: edge()
        give(state, sets.lockAt(id, use, instruction), graph.pointsTo().pointees(id, use.base));
      return;
    }
  auto* call = dyn_cast<CallBase>(&instruction);
  int index = call ? graph.callIndex(body, *call) : -1;
  if (index < 0)
    return;
  const CallOp& op = body.calls[index];
  if (op.model && isLockEffect(op.model->effect) && op.model->effect != Effect::Once)
    stepModel(state, op);
  else
    stepCall(state, index, op);
}

void LockFlow::stepModel(LockState& state, const CallOp& op) const {
  const CallBase& call = *op.instruction;
  switch (op.model->effect) {
  case Effect::LockExclusive:
  case Effect::LockShared:
    acquire(state.held, sets.lockAt(id, call.getArgOperand(op.model->a),
                                    op.model->effect == Effect::LockExclusive, &call));
    break;
  case Effect::Unlock: {
    const Value* pointer = call.getArgOperand(op.model->a);
    give(state, sets.lockAt(id, pointer, true, nullptr), graph.pointsTo().pointees(id, pointer));
    break;
  }
  case Effect::LockAll:
    for (const Value* argument : call.args())
      acquire(state.held, isLockObjectMember(op.callee->getName())
                              ? guardedBy(argument, &call)
                              : sets.lockAt(id, argument, true, &call));
    break;
  case Effect::GuardRelease: {
    // Who has initialized knows it as well as those who see it initialized.
    HeldLock lock = sets.lockAt(id, call.getArgOperand(op.model->a), false, &call);
    for (HeldLock& each : state.held)
      if (each.isSame(lock))
        each.exclusive = false;
    break;
  }
  default:
    break; // the outcome decides: edge()
  }
}

void LockFlow::give(LockState& state, const HeldLock& given,
                    std::span<const uint32_t> places) const {
  size_t before = state.held.size();
  sets.release(state.held, given, places);
  if (state.held.size() != before)
    return;
  for (const HeldLock& each : state.given)
    if (each.isSame(given))
      return;
  state.given.push_back(given);
}

void LockFlow::stepCall(LockState& state, uint32_t index, const CallOp& op) const {
  auto edges = graph.calls(id, index);
  bool once = op.model && op.model->effect == Effect::Once;
  LockSet before = state.held;
  bool first = true;
  LockSet after;
  for (const CallEdge& edge : edges) {
    if (edge.kind != EdgeKind::Call)
      continue;
    LockState one{before, {}};
    if (auto found = summaries.find(raw(edge.callee)); found != summaries.end())
      applySummary(one, found->second, *op.instruction, edge.callee);
    for (const HeldLock& given : one.given)
      if (!holds(state.given, given))
        state.given.push_back(given);
    if (first)
      after = one.held;
    else
      intersect(after, one.held);
    first = false;
  }
  if (!first)
    state.held = after;
  if (once) // after it the thread knows that it has been done
    acquire(state.held,
            sets.lockAt(id, op.instruction->getArgOperand(op.model->a), false, op.instruction));
}

void LockFlow::applySummary(LockState& state, const LockSummary& summary, const CallBase& call,
                            InstanceId callee) const {
  const FunctionConstraints& target = *graph.pointsTo().instance(callee).body;
  PathId guard = target.member && target.receiver < call.arg_size()
                     ? paths.of(call.getArgOperand(target.receiver))
                     : PathId::None;
  bool local = guard != PathId::None && isa_and_nonnull<AllocaInst>(paths.rootOf(guard));
  for (HeldLock given : summary.given) {
    given.path = toCaller(given.path, call);
    if (local)
      given.guard = guard;
    uint32_t place = raw(given.location);
    give(state, given,
         given.location == LocationId::None ? std::span<const uint32_t>{} : std::span(&place, 1));
  }
  for (HeldLock lock : summary.acquired) {
    lock.path = toCaller(lock.path, call);
    if (local)
      lock.guard = guard;
    acquire(state.held, lock);
  }
}

void LockFlow::edge(LockState& state, const LockState& before, const BasicBlock& from,
                    const BasicBlock& to) const {
  if (auto* invoke = dyn_cast<InvokeInst>(from.getTerminator());
      invoke && invoke->getUnwindDest() == &to) {
    // What the callee acquired is not held when it throws; what it released is gone.
    LockSet kept;
    for (const HeldLock& each : before.held)
      if (holds(state.held, each))
        kept.push_back(each);
    state.held = kept;
    return;
  }
  auto* branch = dyn_cast<BranchInst>(from.getTerminator());
  if (branch && branch->isConditional() && branch->getSuccessor(0) != branch->getSuccessor(1)) {
    bool taken = branch->getSuccessor(0) == &to;
    learn(state.held, outcomeOf(branch->getCondition()), taken);
  }
  sets.rename(state.held, from, to);
}

bool LockFlow::merge(LockState& into, const LockState& from) const {
  LockSet before = into.held;
  intersect(into.held, from.held);
  bool changed = !areEqual(before, into.held);
  for (const HeldLock& given : from.given)
    if (!holds(into.given, given)) {
      into.given.push_back(given);
      changed = true;
    }
  return changed;
}

HeldLock LockFlow::guardedBy(const Value* guard, const CallBase* acquisition) const {
  const Value* object = guard->stripPointerCasts();
  for (const User* user : object->users()) {
    auto* call = dyn_cast<CallBase>(user);
    const Function* callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || call->arg_size() < 2 || call->getArgOperand(0) != object ||
        !isLockObjectMember(callee->getName()) || !call->getArgOperand(1)->getType()->isPointerTy())
      continue;
    if (takesMutex(callee->getName())) {
      HeldLock lock = sets.lockAt(id, call->getArgOperand(1), isUniqueLockMember(callee->getName()),
                                  acquisition);
      lock.guard = paths.of(object);
      return lock;
    }
  }
  return {};
}

void LockFlow::learn(LockSet& held, const Outcome& outcome, bool taken) const {
  if (!outcome.tells(taken))
    return;
  bool nonZero = outcome.isNonZero(taken);
  if (nonZero)
    if (LocationId place = handOvers.seenBy(id, *outcome.source); place != LocationId::None)
      acquire(held, handOver(place, false));
  if (SpinLocks::Use use = spinLocks.at(id, *outcome.source); use.base) {
    if (use.taking && use.whenZero != nonZero)
      acquire(held, sets.lockAt(id, use, *outcome.source));
    return;
  }
  if (const LoadInst* load = outcome.load()) {
    // The first look at a static local's guard: not zero means initialized.
    auto* variable = dyn_cast<GlobalVariable>(load->getPointerOperand());
    if (variable && isStaticGuard(*variable) && nonZero)
      acquire(held, sets.lockAt(id, variable, false, nullptr));
    return;
  }
  if (!outcome.call())
    return;
  const CallBase& call = *outcome.call();
  int index = graph.callIndex(body, call);
  if (index < 0)
    return;
  const CallOp& op = body.calls[index];
  if (op.model) {
    Effect effect = op.model->effect;
    if ((effect == Effect::TryLockExclusive || effect == Effect::TryLockShared) && !nonZero)
      acquire(held, sets.lockAt(id, call.getArgOperand(op.model->a),
                                effect == Effect::TryLockExclusive, &call));
    if (effect == Effect::GuardAcquire)
      acquire(held, sets.lockAt(id, call.getArgOperand(op.model->a), nonZero, &call));
    return;
  }
  if (op.callee && isLockObjectMember(op.callee->getName()) && nonZero &&
      tellsWhetherLocked(op.callee->getName())) {
    HeldLock lock = guardedBy(call.getArgOperand(0), &call);
    if (!holds(held, lock))
      acquire(held, lock);
    return;
  }
  for (const CallEdge& edge : graph.calls(id, index)) {
    auto found = summaries.find(raw(edge.callee));
    if (found == summaries.end() || found->second.whenZero == nonZero ||
        graph.calls(id, index).size() != 1)
      continue;
    for (HeldLock lock : found->second.conditional) {
      lock.path = toCaller(lock.path, call);
      acquire(held, lock);
    }
  }
}

PathId LockFlow::toCaller(PathId path, const CallBase& call) const {
  const Value* root = paths.rootOf(path);
  if (isa_and_nonnull<GlobalValue>(root))
    return path;
  return paths.inCaller(path, call);
}

} // namespace heddle::analysis
