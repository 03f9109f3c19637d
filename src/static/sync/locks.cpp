#include "static/sync/locks.h"

#include "static/ir/conditions.h"
#include "static/ir/flow.h"

#include "llvm/IR/InstIterator.h"

#include <deque>

using namespace llvm;

namespace heddle::analysis {
namespace {

/// What a function does to the locks of its caller, in the function's own terms.
struct Summary {
  LockSet acquired;               ///< held on every return
  SmallVector<HeldLock, 2> given; ///< released, perhaps: path and location of each
  LockSet conditional;            ///< acquired when the result is (not) zero
  bool whenZero = false;

  bool isNothing() const { return acquired.empty() && given.empty() && conditional.empty(); }
};

bool areEqual(const LockSet& one, const LockSet& other) {
  return one.size() == other.size() && equal(one, other, [](const HeldLock& a, const HeldLock& b) {
           return a.isSame(b) && a.exclusive == b.exclusive && a.count == b.count &&
                  a.aliased == b.aliased;
         });
}

bool isLockObjectClass(StringRef name) {
  return name.contains("St11unique_lock") || name.contains("St11shared_lock");
}

} // namespace

void intersect(LockSet& into, const LockSet& from) {
  LockSet both;
  for (HeldLock& each : into) {
    auto* other = find_if(from, [&](const HeldLock& lock) { return lock.isSame(each); });
    if (other == from.end() && each.path != PathId::None) {
      other = find_if(from, [&](const HeldLock& lock) { return lock.path == each.path; });
      if (other != from.end())
        each.location = LocationId::None;
    }
    if (other == from.end()) {
      // The same place by another way.
      other = find_if(from, [&](const HeldLock& lock) {
        return lock.location == each.location && each.location != LocationId::None &&
               lock.handOver == each.handOver;
      });
      if (other == from.end())
        continue;
      each.path = PathId::None;
    }
    each.exclusive &= other->exclusive;
    each.aliased |= other->aliased;
    each.count = std::min(each.count, other->count);
    if (each.guard != other->guard)
      each.guard = PathId::None;
    both.push_back(each);
  }
  into = std::move(both);
}

struct Locks::Impl {
  Impl(const CallGraph& graph, const SpinLocks& spinLocks, const HandOvers& handOvers, Paths& paths)
      : graph(graph), pointsTo(graph.pointsTo()), spinLocks(spinLocks), handOvers(handOvers),
        paths(paths) {}

  // --- which functions matter

  static bool isLockEffect(Effect effect) {
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

  void findRelevant() {
    relevant.assign(pointsTo.instances().size(), 0);
    std::vector<InstanceId> stack;
    for (uint32_t i = 0; i < pointsTo.instances().size(); ++i) {
      auto id = static_cast<InstanceId>(i);
      if (spinLocks.concerns(id) || handOvers.concerns(id) ||
          any_of(pointsTo.instances()[i].body->calls, [](const CallOp& call) {
            return call.model && isLockEffect(call.model->effect);
          })) {
        relevant[i] = 1;
        stack.push_back(id);
      }
    }
    while (!stack.empty()) {
      InstanceId id = stack.back();
      stack.pop_back();
      for (const CallEdge& edge : graph.callers(id))
        if (edge.kind == EdgeKind::Call && !relevant[raw(edge.caller)]) {
          relevant[raw(edge.caller)] = 1;
          stack.push_back(edge.caller);
        }
    }
  }

  // --- lock sets

  /// The one place that all of them are, or are elements of; None: there are several.
  LocationId placeOf(std::span<const uint32_t> places) const {
    for (uint32_t each : places) {
      const Location& whole = pointsTo.location(static_cast<LocationId>(each));
      if (all_of(places, [&](uint32_t other) {
            return other == each ||
                   isElement(pointsTo.location(static_cast<LocationId>(other)), whole);
          }))
        return static_cast<LocationId>(each);
    }
    return LocationId::None;
  }

  static bool isElement(const Location& one, const Location& of) {
    return one.object == of.object && of.stride && of.iteration == kNoIteration && !of.extent &&
           one.offset >= of.offset && (one.offset - of.offset) % of.stride == 0 &&
           one.stride % of.stride == 0;
  }

  HeldLock lockAt(InstanceId id, const Value* pointer, bool exclusive,
                  const CallBase* acquisition) const {
    HeldLock lock;
    lock.path = paths.of(pointer);
    lock.location = placeOf(pointsTo.pointees(id, pointer));
    lock.exclusive = exclusive;
    lock.acquisition = acquisition;
    return lock;
  }

  HeldLock lockAt(InstanceId id, const SpinLocks::Use& use, const Instruction& at) const {
    HeldLock lock;
    lock.path = paths.offset(paths.of(use.base), use.offset);
    auto places = pointsTo.pointees(id, use.base);
    if (places.size() == 1)
      lock.location = pointsTo.find(static_cast<LocationId>(places[0]), use.offset);
    lock.acquisition = dyn_cast<CallBase>(&at);
    return lock;
  }

  static HeldLock handOver(LocationId place, bool exclusive) {
    HeldLock lock;
    lock.location = place;
    lock.exclusive = exclusive;
    lock.handOver = true;
    return lock;
  }

  static void acquire(LockSet& held, HeldLock lock) {
    if (lock.path == PathId::None && lock.location == LocationId::None)
      return;
    for (HeldLock& each : held)
      if (each.isSame(lock)) {
        if (lock.handOver)
          return;
        each.count = std::min<int>(each.count + lock.count, 100);
        each.exclusive |= lock.exclusive;
        return;
      }
    held.push_back(lock);
  }

  static bool mayBeAliases(const HeldLock& one, const HeldLock& other) {
    return one.aliased && other.aliased &&
           (one.location == other.location || one.location == LocationId::None ||
            other.location == LocationId::None);
  }

  bool mayBe(LocationId lock, std::span<const uint32_t> places) const {
    const Location& held = pointsTo.location(lock);
    return any_of(places, [&](uint32_t each) {
      const Location& place = pointsTo.location(static_cast<LocationId>(each));
      return place.object == held.object && overlap(held, place);
    });
  }

  /// Releases what is named: the very path, else whatever it may be.
  void release(LockSet& held, const HeldLock& given, std::span<const uint32_t> places) const {
    auto drop = [&](HeldLock* each) {
      HeldLock gone = *each;
      for (size_t i = held.size(); i-- > 0;) {
        if (&held[i] != each && !mayBeAliases(gone, held[i]))
          continue;
        if (held[i].count > 1)
          --held[i].count;
        else
          held.erase(held.begin() + i);
      }
    };
    if (given.handOver) {
      erase_if(held, [&](const HeldLock& each) { return each.isSame(given); });
      return;
    }
    if (given.guard != PathId::None)
      for (HeldLock& each : held)
        if (each.guard == given.guard)
          return drop(&each);
    if (given.path != PathId::None)
      for (HeldLock& each : held)
        if (each.path == given.path)
          return drop(&each);
    for (size_t i = held.size(); i-- > 0;) {
      bool may = !held[i].handOver && (held[i].location == LocationId::None || places.empty() ||
                                       mayBe(held[i].location, places));
      if (may && held[i].count > 1)
        --held[i].count;
      else if (may)
        held.erase(held.begin() + i);
    }
  }

  /// A value becomes another one: what was reached by it before has no name any more.
  void forget(LockSet& held, const Value& value) const {
    for (size_t i = held.size(); i-- > 0;) {
      if (held[i].path == PathId::None || !paths.mentions(held[i].path, &value))
        continue;
      held[i].path = PathId::None;
      if (held[i].location == LocationId::None)
        held.erase(held.begin() + i);
    }
  }

  /// Along an edge the phis of the next block get their values: what such a value leads to is
  /// reached by the phi, too. `node = next` takes the name of next's lock to node's.
  void rename(LockSet& held, const BasicBlock& from, const BasicBlock& to) const {
    if (held.empty() || !isa<PHINode>(to.front()))
      return;
    LockSet others;
    for (const PHINode& phi : to.phis()) {
      if (!phi.getType()->isPointerTy())
        continue;
      PathId incoming = paths.of(phi.getIncomingValueForBlock(&from));
      for (HeldLock& lock : held) {
        PathId path = paths.replaced(lock.path, incoming, paths.root(&phi));
        if (path == PathId::None || any_of(to.phis(), [&](const PHINode& other) {
              return &other != &phi && paths.mentions(path, &other);
            }))
          continue;
        lock.aliased = true;
        others.push_back(lock);
        others.back().path = path;
      }
    }
    for (const PHINode& phi : to.phis())
      forget(held, phi);
    held.append(others);
  }

  // --- one instance

  struct State {
    LockSet held;
    SmallVector<HeldLock, 2> given; ///< released without having been acquired here
  };

  struct Analysis {
    const Impl& impl;
    InstanceId id;
    const FunctionConstraints& body;

    void step(State& state, const Instruction& instruction) const {
      if (!isa<PHINode>(instruction) && !instruction.getType()->isVoidTy())
        impl.forget(state.held, instruction);
      stepLocks(state, instruction);
      if (!impl.handOvers.concerns(id))
        return;
      for (LocationId place : impl.handOvers.setBy(id, instruction))
        give(state, handOver(place, true), {});
      if (LocationId place = impl.handOvers.awaitedBy(id, instruction); place != LocationId::None)
        acquire(state.held, handOver(place, false));
    }

    void stepLocks(State& state, const Instruction& instruction) const {
      if (impl.spinLocks.concerns(id))
        if (SpinLocks::Use use = impl.spinLocks.at(id, instruction); use.base) {
          if (!use.taking) // else the outcome decides: edge()
            give(state, impl.lockAt(id, use, instruction), impl.pointsTo.pointees(id, use.base));
          return;
        }
      auto* call = dyn_cast<CallBase>(&instruction);
      int index = call ? impl.graph.callIndex(body, *call) : -1;
      if (index < 0)
        return;
      const CallOp& op = body.calls[index];
      if (op.model && isLockEffect(op.model->effect) && op.model->effect != Effect::Once)
        stepModel(state, op);
      else
        stepCall(state, index, op);
    }

    void stepModel(State& state, const CallOp& op) const {
      const CallBase& call = *op.instruction;
      switch (op.model->effect) {
      case Effect::LockExclusive:
      case Effect::LockShared:
        acquire(state.held, impl.lockAt(id, call.getArgOperand(op.model->a),
                                        op.model->effect == Effect::LockExclusive, &call));
        break;
      case Effect::Unlock: {
        const Value* pointer = call.getArgOperand(op.model->a);
        give(state, impl.lockAt(id, pointer, true, nullptr), impl.pointsTo.pointees(id, pointer));
        break;
      }
      case Effect::LockAll:
        for (const Value* argument : call.args())
          acquire(state.held, isLockObjectClass(op.callee->getName())
                                  ? impl.guardedBy(id, argument, &call)
                                  : impl.lockAt(id, argument, true, &call));
        break;
      case Effect::GuardRelease: {
        // Who has initialised knows it as well as those who see it initialised.
        HeldLock lock = impl.lockAt(id, call.getArgOperand(op.model->a), false, &call);
        for (HeldLock& each : state.held)
          if (each.isSame(lock))
            each.exclusive = false;
        break;
      }
      default:
        break; // the outcome decides: edge()
      }
    }

    void give(State& state, const HeldLock& given, std::span<const uint32_t> places) const {
      size_t before = state.held.size();
      impl.release(state.held, given, places);
      if (state.held.size() != before)
        return;
      for (const HeldLock& each : state.given)
        if (each.isSame(given))
          return;
      state.given.push_back(given);
    }

    void stepCall(State& state, uint32_t index, const CallOp& op) const {
      auto edges = impl.graph.calls(id, index);
      bool once = op.model && op.model->effect == Effect::Once;
      LockSet before = state.held;
      bool first = true;
      LockSet after;
      for (const CallEdge& edge : edges) {
        if (edge.kind != EdgeKind::Call)
          continue;
        State one{before, {}};
        if (auto found = impl.summaries.find(raw(edge.callee)); found != impl.summaries.end())
          applySummary(one, found->second, *op.instruction, edge.callee);
        for (const HeldLock& given : one.given)
          if (none_of(state.given, [&](const HeldLock& each) { return each.isSame(given); }))
            state.given.push_back(given);
        if (first)
          after = one.held;
        else
          intersect(after, one.held);
        first = false;
      }
      if (!first)
        state.held = after;
      if (once) // behind it the thread knows that it has been done
        acquire(state.held,
                impl.lockAt(id, op.instruction->getArgOperand(op.model->a), false, op.instruction));
    }

    void applySummary(State& state, const Summary& summary, const CallBase& call,
                      InstanceId callee) const {
      const FunctionConstraints& target = *impl.pointsTo.instance(callee).body;
      PathId guard = target.member && target.receiver < call.arg_size()
                         ? impl.paths.of(call.getArgOperand(target.receiver))
                         : PathId::None;
      bool local = guard != PathId::None && isa_and_nonnull<AllocaInst>(impl.paths.rootOf(guard));
      for (HeldLock given : summary.given) {
        given.path = impl.toCaller(given.path, call);
        if (local)
          given.guard = guard;
        uint32_t place = raw(given.location);
        give(state, given,
             given.location == LocationId::None ? std::span<const uint32_t>{}
                                                : std::span(&place, 1));
      }
      for (HeldLock lock : summary.acquired) {
        lock.path = impl.toCaller(lock.path, call);
        if (local)
          lock.guard = guard;
        acquire(state.held, lock);
      }
    }

    void edge(State& state, const State& before, const BasicBlock& from,
              const BasicBlock& to) const {
      if (auto* invoke = dyn_cast<InvokeInst>(from.getTerminator());
          invoke && invoke->getUnwindDest() == &to) {
        // What the callee acquired is not held when it throws; what it released is gone.
        LockSet kept;
        for (const HeldLock& each : before.held)
          if (any_of(state.held, [&](const HeldLock& lock) { return lock.isSame(each); }))
            kept.push_back(each);
        state.held = kept;
        return;
      }
      auto* branch = dyn_cast<BranchInst>(from.getTerminator());
      if (branch && branch->isConditional() && branch->getSuccessor(0) != branch->getSuccessor(1)) {
        bool taken = branch->getSuccessor(0) == &to;
        impl.learn(state.held, id, body, outcomeOf(branch->getCondition()), taken);
      }
      impl.rename(state.held, from, to);
    }

    bool merge(State& into, const State& from) const {
      LockSet before = into.held;
      intersect(into.held, from.held);
      bool changed = !areEqual(before, into.held);
      for (const HeldLock& given : from.given)
        if (none_of(into.given, [&](const HeldLock& each) { return each.isSame(given); })) {
          into.given.push_back(given);
          changed = true;
        }
      return changed;
    }
  };

  /// The mutex of a std::unique_lock or shared_lock: what its constructor was given.
  HeldLock guardedBy(InstanceId id, const Value* guard, const CallBase* acquisition) const {
    const Value* object = guard->stripPointerCasts();
    for (const User* user : object->users()) {
      auto* call = dyn_cast<CallBase>(user);
      const Function* callee = call ? call->getCalledFunction() : nullptr;
      if (!callee || call->arg_size() < 2 || call->getArgOperand(0) != object ||
          !isLockObjectClass(callee->getName()) ||
          !call->getArgOperand(1)->getType()->isPointerTy())
        continue;
      if (callee->getName().contains("C1ER") || callee->getName().contains("C2ER")) {
        HeldLock lock = lockAt(id, call->getArgOperand(1),
                               callee->getName().contains("St11unique_lock"), acquisition);
        lock.guard = paths.of(object);
        return lock;
      }
    }
    return {};
  }

  /// What a branch says about an attempt to lock.
  void learn(LockSet& held, InstanceId id, const FunctionConstraints& body, const Outcome& outcome,
             bool taken) const {
    if (!outcome.tells(taken))
      return;
    bool nonZero = outcome.isNonZero(taken);
    if (nonZero)
      if (LocationId place = handOvers.seenBy(id, *outcome.source); place != LocationId::None)
        acquire(held, handOver(place, false));
    if (SpinLocks::Use use = spinLocks.at(id, *outcome.source); use.base) {
      if (use.taking && use.whenZero != nonZero)
        acquire(held, lockAt(id, use, *outcome.source));
      return;
    }
    if (const LoadInst* load = outcome.load()) {
      // The first look at a static local's guard: not zero means initialised.
      auto* variable = dyn_cast<GlobalVariable>(load->getPointerOperand());
      if (variable && variable->getName().starts_with("_ZGV") && nonZero)
        acquire(held, lockAt(id, variable, false, nullptr));
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
        acquire(held, lockAt(id, call.getArgOperand(op.model->a),
                             effect == Effect::TryLockExclusive, &call));
      if (effect == Effect::GuardAcquire)
        acquire(held, lockAt(id, call.getArgOperand(op.model->a), nonZero, &call));
      return;
    }
    if (op.callee && isLockObjectClass(op.callee->getName()) && nonZero &&
        (op.callee->getName().contains("owns_lock") || op.callee->getName().contains("cvb"))) {
      HeldLock lock = guardedBy(id, call.getArgOperand(0), &call);
      if (none_of(held, [&](const HeldLock& each) { return each.isSame(lock); }))
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

  PathId toCaller(PathId path, const CallBase& call) const {
    const Value* root = paths.rootOf(path);
    if (isa_and_nonnull<GlobalValue>(root))
      return path;
    return paths.inCaller(path, call);
  }

  using InstanceFlow = Flow<State, Analysis>;

  // --- summaries, bottom up

  void findSummaries() {
    std::deque<InstanceId> queue;
    std::vector<char> queued(relevant.size(), 0);
    for (uint32_t i = 0; i < relevant.size(); ++i)
      if (relevant[i]) {
        queue.push_back(static_cast<InstanceId>(i));
        queued[i] = 1;
      }
    size_t budget = queue.size() * 40 + 1000; // recursion settles long before
    while (!queue.empty() && budget-- > 0) {
      graph.tick(queue.size(), "functions to go");
      InstanceId id = queue.front();
      queue.pop_front();
      queued[raw(id)] = 0;
      if (!findSummary(id))
        continue;
      for (const CallEdge& edge : graph.callers(id))
        if (edge.kind == EdgeKind::Call && !queued[raw(edge.caller)]) {
          queued[raw(edge.caller)] = 1;
          queue.push_back(edge.caller);
        }
    }
  }

  bool findSummary(InstanceId id) {
    const FunctionConstraints& body = *pointsTo.instance(id).body;
    Analysis analysis{*this, id, body};
    InstanceFlow flow(*body.function, State{}, analysis);
    Summary summary;
    bool first = true;
    for (const BasicBlock& block : *body.function) {
      auto* end = dyn_cast<ReturnInst>(block.getTerminator());
      if (!end || !flow.at(block))
        continue;
      State state = *flow.at(block);
      for (const Instruction& instruction : block)
        analysis.step(state, instruction);
      if (first)
        summary.acquired = state.held;
      else
        intersect(summary.acquired, state.held);
      for (const HeldLock& given : state.given)
        if (none_of(summary.given, [&](const HeldLock& each) { return each.isSame(given); }))
          summary.given.push_back(given);
      findConditional(summary, id, body, *end, first);
      first = false;
    }
    auto found = summaries.find(raw(id));
    if (found == summaries.end() ? summary.isNothing() : isSame(found->second, summary))
      return false;
    summaries[raw(id)] = summary;
    return true;
  }

  static bool isSame(const Summary& one, const Summary& other) {
    return areEqual(one.acquired, other.acquired) && one.given.size() == other.given.size() &&
           areEqual(one.conditional, other.conditional) && one.whenZero == other.whenZero;
  }

  /// `return m.try_lock();`
  void findConditional(Summary& summary, InstanceId id, const FunctionConstraints& body,
                       const ReturnInst& end, bool only) const {
    summary.conditional.clear();
    if (!only || !end.getReturnValue() || !end.getReturnValue()->getType()->isIntegerTy())
      return;
    Outcome outcome = outcomeOf(end.getReturnValue());
    if (!outcome.source)
      return;
    for (bool nonZero : {true, false}) {
      LockSet held;
      learn(held, id, body, outcome, nonZero);
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
      acquire(result, lockAt(caller, call.instruction->getArgOperand(call.model->a), true,
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
    if (!relevant[raw(id)]) {
      for (const Instruction& instruction : instructions(*body.function))
        visit(held, instruction);
      return;
    }
    Analysis analysis{*this, id, body};
    InstanceFlow flow(*body.function, State{held, {}}, analysis);
    flow.each([&](const State& state, const Instruction& instruction) {
      visit(state.held, instruction);
    });
  }

  const CallGraph& graph;
  const PointsTo& pointsTo;
  const SpinLocks& spinLocks;
  const HandOvers& handOvers;
  Paths& paths;
  std::vector<char> relevant;
  DenseMap<uint32_t, Summary> summaries;
};

Locks::Locks(const CallGraph& graph, const SpinLocks& spinLocks, const HandOvers& handOvers,
             Paths& paths)
    : impl_(std::make_unique<Impl>(graph, spinLocks, handOvers, paths)) {
  impl_->findRelevant();
  impl_->findSummaries();
}

Locks::~Locks() = default;

void Locks::each(InstanceId instance, const LockSet& entering,
                 function_ref<void(const LockSet&, const Instruction&)> visit) const {
  impl_->each(instance, entering, visit);
}

LockSet Locks::atStart(uint32_t thread) const {
  LockSet places;
  for (LocationId place : impl_->handOvers.ofThread(thread))
    places.push_back(Impl::handOver(place, /*exclusive=*/true));
  return places;
}

LockSet Locks::inCallee(const LockSet& held, InstanceId caller, const CallOp& call,
                        InstanceId callee) const {
  return impl_->inCallee(held, caller, call, callee);
}

} // namespace heddle::analysis
