#include "static/sync/locks.h"

#include "static/points_to/summary_solver.h"
#include "static/sync/lock_flow.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace heddle::analysis {

struct Locks::Impl {
  Impl(const CallGraph& graph, const SpinLocks& spinLocks, const HandOvers& handOvers, Paths& paths)
      : graph(graph), pointsTo(graph.pointsTo()), spinLocks(spinLocks), handOvers(handOvers),
        paths(paths), sets(pointsTo, paths) {}

  using InstanceFlow = Flow<LockState, LockFlow>;

  LockFlow flowOf(InstanceId id) const {
    return {graph, spinLocks, handOvers, paths, sets, summaries, id, *pointsTo.instance(id).body};
  }

  bool isConcerned(InstanceId id) const {
    return spinLocks.concerns(id) || handOvers.concerns(id) ||
           any_of(pointsTo.instance(id).body->calls, [](const CallOp& call) {
             return call.model && isLockEffect(call.model->effect);
           });
  }

  void findSummaries() {
    std::vector<InstanceId> concerned =
        withCallers(graph, [&](InstanceId id) { return isConcerned(id); });
    relevant.resize(pointsTo.instances().size());
    for (InstanceId id : concerned)
      relevant.set(raw(id));
    settled = SummarySolver(graph).solve(concerned, [&](InstanceId id) { return findSummary(id); });
  }

  bool findSummary(InstanceId id) {
    const FunctionConstraints& body = *pointsTo.instance(id).body;
    LockFlow analysis = flowOf(id);
    InstanceFlow flow(*body.function, LockState{}, analysis);
    LockSummary summary;
    bool first = true;
    for (const BasicBlock& block : *body.function) {
      auto* end = dyn_cast<ReturnInst>(block.getTerminator());
      if (!end || !flow.at(block))
        continue;
      LockState state = *flow.at(block);
      for (const Instruction& instruction : block)
        analysis.step(state, instruction);
      if (first)
        summary.acquired = state.held;
      else
        intersect(summary.acquired, state.held);
      for (const HeldLock& given : state.given)
        if (!holds(summary.given, given))
          summary.given.push_back(given);
      findConditional(summary, analysis, *end, first);
      first = false;
    }
    auto found = summaries.find(raw(id));
    if (found == summaries.end() ? summary.isNothing() : isSame(found->second, summary))
      return false;
    summaries[raw(id)] = summary;
    return true;
  }

  static bool isSame(const LockSummary& one, const LockSummary& other) {
    return areEqual(one.acquired, other.acquired) && one.given.size() == other.given.size() &&
           areEqual(one.conditional, other.conditional) && one.whenZero == other.whenZero;
  }

  /// `return m.try_lock();`
  void findConditional(LockSummary& summary, const LockFlow& analysis, const ReturnInst& end,
                       bool only) const {
    summary.conditional.clear();
    if (!only || !end.getReturnValue() || !end.getReturnValue()->getType()->isIntegerTy())
      return;
    Outcome outcome = outcomeOf(end.getReturnValue());
    if (!outcome.source)
      return;
    for (bool nonZero : {true, false}) {
      LockSet held;
      analysis.learn(held, outcome, nonZero);
      if (held.empty())
        continue;
      summary.conditional = held;
      summary.whenZero = !nonZero;
    }
  }

  // --- what callers hold

  LockSet inCallee(const LockSet& held, InstanceId caller, const CallOp& call,
                   InstanceId callee) const {
    LockSet result;
    for (HeldLock lock : held) {
      lock.path = pathInCallee(lock.path, call, *pointsTo.instance(callee).body);
      lock.guard = PathId::None;
      if (lock.path != PathId::None || lock.location != LocationId::None)
        result.push_back(lock);
    }
    if (call.model && call.model->effect == Effect::Once)
      acquire(result, sets.lockAt(caller, call.instruction->getArgOperand(call.model->a), true,
                                  call.instruction));
    return result;
  }

  PathId pathInCallee(PathId path, const CallOp& call, const FunctionConstraints& callee) const {
    if (isa_and_nonnull<GlobalValue>(paths.rootOf(path)))
      return path;
    if (call.model) // a callback's parameters are not the call's arguments
      return PathId::None;
    for (uint32_t i = 0; i < callee.parameters.size() && i < call.arguments.size(); ++i) {
      if (!call.instruction->getArgOperand(i)->getType()->isPointerTy())
        continue;
      PathId replaced = paths.replaced(path, paths.of(call.instruction->getArgOperand(i)),
                                       paths.root(callee.function->getArg(i)));
      if (replaced != PathId::None)
        return replaced;
    }
    return PathId::None;
  }

  void each(InstanceId id, const LockSet& held,
            function_ref<void(const LockSet&, const Instruction&)> visit) const {
    const FunctionConstraints& body = *pointsTo.instance(id).body;
    if (!relevant.test(raw(id))) {
      for (const Instruction& instruction : instructions(*body.function))
        visit(held, instruction);
      return;
    }
    LockFlow analysis = flowOf(id);
    InstanceFlow flow(*body.function, LockState{held, {}}, analysis);
    flow.each([&](const LockState& state, const Instruction& instruction) {
      visit(state.held, instruction);
    });
  }

  const CallGraph& graph;
  const PointsTo& pointsTo;
  const SpinLocks& spinLocks;
  const HandOvers& handOvers;
  Paths& paths;
  LockSets sets;
  BitVector relevant; ///< instances below which locks are taken or given back
  bool settled = false;
  LockSummaries summaries;
};

Locks::Locks(const CallGraph& graph, const SpinLocks& spinLocks, const HandOvers& handOvers,
             Paths& paths)
    : impl_(std::make_unique<Impl>(graph, spinLocks, handOvers, paths)) {
  impl_->findSummaries();
}

Locks::~Locks() = default;

bool Locks::isSettled() const { return impl_->settled; }

void Locks::each(InstanceId instance, const LockSet& entering,
                 function_ref<void(const LockSet&, const Instruction&)> visit) const {
  impl_->each(instance, entering, visit);
}

LockSet Locks::atStart(uint32_t thread) const {
  LockSet places;
  for (LocationId place : impl_->handOvers.ofThread(thread))
    places.push_back(handOver(place, /*exclusive=*/true));
  return places;
}

LockSet Locks::inCallee(const LockSet& held, InstanceId caller, const CallOp& call,
                        InstanceId callee) const {
  return impl_->inCallee(held, caller, call, callee);
}

} // namespace heddle::analysis
