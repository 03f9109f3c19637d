#include "static/sync/may_happen_in_parallel.h"

#include "static/ir/flow.h"
#include "static/points_to/summary_solver.h"
#include "static/sync/thread_joins.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace heddle::analysis {
namespace {

/// What a stretch of code does to the threads that are alive: `started` may be alive after it,
/// `joined` cannot be, unless they are in `started`.
struct Change {
  BitVector started, joined;
};

} // namespace

struct MayHappenInParallel::Impl {
  Impl(const CallGraph& graph, const Threads& threads)
      : graph(graph), pointsTo(graph.pointsTo()), threads(threads), joining(graph, threads),
        count(threads.all().size()) {}

  // --- effects of instances

  Change none() const { return {BitVector(count), BitVector(count)}; }

  /// Instances below which a thread is created or joined.
  void findRelevant() {
    auto isRelevant = [&](InstanceId id) {
      return any_of(pointsTo.instance(id).body->calls,
                    [&](const CallOp& call) { return joining.isRelevant(id, call); });
    };
    relevant = withCallers(graph, isRelevant);
    concerned.resize(pointsTo.instances().size());
    for (InstanceId id : relevant) {
      concerned.set(raw(id));
      if (any_of(pointsTo.instance(id).body->calls,
                 [&](const CallOp& call) { return joining.isRelevant(id, call); }))
        joiners.push_back(id);
    }
    for (const Thread& thread : threads.all())
      if (thread.entry != InstanceId::None)
        entries.insert(raw(thread.entry));
  }

  void addStarted(BitVector& set, uint32_t thread) const {
    set.set(thread);
    for (uint32_t each : threads.descendants(thread))
      set.set(each);
  }

  /// A joined thread is gone with those of its descendants that it has joined itself.
  void addJoined(BitVector& set, uint32_t thread) const {
    set.set(thread);
    InstanceId entry = threads.all()[thread].entry;
    auto found = changes.find(raw(entry));
    for (uint32_t each : threads.descendants(thread))
      if (found != changes.end() && !found->second.started.test(each))
        set.set(each);
  }

  static void apply(Change& change, const BitVector& started, const BitVector& joined) {
    change.started.reset(joined);
    change.joined |= joined;
    change.started |= started;
    change.joined.reset(started);
  }

  // --- the flow through one instance

  struct Analysis {
    const Impl& impl;
    InstanceId id;
    const FunctionConstraints& body;

    void step(Change& change, const Instruction& instruction) const {
      auto* call = dyn_cast<CallBase>(&instruction);
      int index = call ? impl.graph.callIndex(body, *call) : -1;
      if (index < 0)
        return;
      const CallOp& op = body.calls[index];
      if (impl.joining.isJoin(id, op)) {
        ThreadJoins::Joined joined = impl.joining.joinedBy(id, op);
        BitVector set(impl.count);
        if (joined.all)
          for (uint32_t thread : joined.threads)
            impl.addJoined(set, thread);
        apply(change, BitVector(impl.count), set);
        return;
      }
      stepCall(change, index);
    }

    void stepCall(Change& change, uint32_t index) const {
      BitVector started(impl.count);
      std::optional<BitVector> joined;
      for (const CallEdge& edge : impl.graph.calls(id, index)) {
        if (edge.kind == EdgeKind::Fork) {
          for (uint32_t t = 1; t < impl.count; ++t)
            if (impl.threads.all()[t].creator == id && impl.threads.all()[t].call == index)
              impl.addStarted(started, t);
          continue;
        }
        auto found = impl.changes.find(raw(edge.callee));
        BitVector callee(impl.count);
        if (found != impl.changes.end()) {
          started |= found->second.started;
          callee = found->second.joined;
        }
        if (joined)
          *joined &= callee;
        else
          joined = callee;
      }
      apply(change, started, joined ? *joined : BitVector(impl.count));
    }

    void edge(Change& change, const Change& before, const BasicBlock& from,
              const BasicBlock& to) const {
      if (auto* invoke = dyn_cast<InvokeInst>(from.getTerminator());
          invoke && invoke->getUnwindDest() == &to)
        change = before; // a call that throws has started no thread that goes on
      // Behind a loop that joins one thread after the other all of them are joined.
      const LoopInfo& loops = impl.graph.loops(*body.function);
      for (const Loop* loop = loops.getLoopFor(&from); loop; loop = loop->getParentLoop())
        if (!loop->contains(&to))
          apply(change, BitVector(impl.count), impl.joinedInLoop(id, body, *loop));
      BitVector idle(impl.count);
      for (uint32_t thread : impl.joining.notJoinable(id, body, from, to))
        impl.addJoined(idle, thread);
      apply(change, BitVector(impl.count), idle);
    }

    bool merge(Change& into, const Change& from) const {
      BitVector started = into.started, joined = into.joined;
      into.started |= from.started;
      into.joined &= from.joined;
      return started != into.started || joined != into.joined;
    }
  };

  BitVector joinedInLoop(InstanceId id, const FunctionConstraints& body, const Loop& loop) const {
    BitVector set(count);
    for (const BasicBlock* block : loop.blocks())
      for (const Instruction& instruction : *block) {
        auto* call = dyn_cast<CallBase>(&instruction);
        int index = call ? graph.callIndex(body, *call) : -1;
        if (index < 0)
          continue;
        const CallOp& op = body.calls[index];
        if (joining.isJoin(id, op))
          if (ThreadJoins::Joined joined = joining.joinedBy(id, op); joined.all || joined.other)
            for (uint32_t thread : joined.threads)
              addJoined(set, thread);
        for (const CallEdge& edge : graph.calls(id, index))
          if (edge.kind == EdgeKind::Call) {
            if (auto found = joins.find(raw(edge.callee)); found != joins.end())
              set |= found->second;
            if (auto found = changes.find(raw(edge.callee)); found != changes.end())
              set |= found->second.joined;
          }
      }
    // What the loop starts itself may be alive after it: only the flow through the iteration
    // knows.
    set.reset(startedInLoop(id, body, loop));
    return set;
  }

  BitVector startedInLoop(InstanceId id, const FunctionConstraints& body, const Loop& loop) const {
    Change change = none();
    Analysis analysis{*this, id, body};
    for (const BasicBlock* block : loop.blocks())
      for (const Instruction& instruction : *block) {
        auto* call = dyn_cast<CallBase>(&instruction);
        int index = call ? graph.callIndex(body, *call) : -1;
        Change one = none();
        if (index >= 0)
          analysis.stepCall(one, index);
        change.started |= one.started;
      }
    return change.started;
  }

  using ThreadSets = DenseMap<uint32_t, BitVector>; ///< by instance

  /// What relevant instances do themselves, or by calls.
  template <typename Own> void addUpCalls(ThreadSets& sets, Own doneBy) {
    settled &= SummarySolver(graph).solve(relevant, [&](InstanceId id) {
      BitVector set = doneBy(id);
      for (const CallEdge& edge : graph.calls(id))
        if (edge.kind == EdgeKind::Call)
          if (auto found = sets.find(raw(edge.callee)); found != sets.end())
            set |= found->second;
      BitVector& known = sets.try_emplace(raw(id), BitVector(count)).first->second;
      if (known == set)
        return false;
      known = std::move(set);
      return true;
    });
  }

  /// Threads that an instance may join, whether or not it is all of a kind.
  BitVector joinedIn(InstanceId id) const {
    BitVector set(count);
    for (const CallOp& call : pointsTo.instance(id).body->calls)
      if (joining.isJoin(id, call))
        if (ThreadJoins::Joined joined = joining.joinedBy(id, call); joined.all || joined.other)
          for (uint32_t thread : joined.threads)
            addJoined(set, thread);
    return set;
  }

  /// Threads that are started in an instance, joined or not.
  BitVector startedIn(InstanceId id) const {
    BitVector set(count);
    for (const CallEdge& edge : graph.calls(id))
      if (edge.kind == EdgeKind::Fork)
        set |= startedBy(edge);
    return set;
  }

  BitVector startedBy(const CallEdge& edge) const {
    if (edge.kind == EdgeKind::Call) {
      auto found = starts.find(raw(edge.callee));
      return found == starts.end() ? BitVector(count) : found->second;
    }
    BitVector set(count);
    for (uint32_t t = 1; t < count; ++t)
      if (threads.all()[t].creator == edge.caller && threads.all()[t].call == edge.call)
        addStarted(set, t);
    return set;
  }

  using InstanceFlow = Flow<Change, Analysis>;

  /// The effect of each instance as a whole. What a join ends depends on the joined thread's, too.
  void findChanges() {
    settled &= SummarySolver(graph).solve(
        relevant, [&](InstanceId id) { return findChange(id); },
        [&](InstanceId id) {
          return entries.contains(raw(id)) ? std::span<const InstanceId>(joiners)
                                           : std::span<const InstanceId>();
        });
  }

  bool findChange(InstanceId id) {
    const FunctionConstraints& body = *pointsTo.instance(id).body;
    Analysis analysis{*this, id, body};
    InstanceFlow flow(*body.function, none(), analysis);
    std::optional<Change> exit;
    for (const BasicBlock& block : *body.function) {
      if (!isa<ReturnInst>(block.getTerminator()) || !flow.at(block))
        continue;
      Change change = *flow.at(block);
      for (const Instruction& instruction : block)
        analysis.step(change, instruction);
      if (exit)
        analysis.merge(*exit, change);
      else
        exit = change;
    }
    if (!exit)
      exit = none();
    auto found = changes.find(raw(id));
    if (found != changes.end() && found->second.started == exit->started &&
        found->second.joined == exit->joined)
      return false;
    changes[raw(id)] = *exit;
    return true;
  }

  // --- what is alive where

  static BitVector aliveAfter(BitVector in, const Change& change) {
    in.reset(change.joined);
    in |= change.started;
    return in;
  }

  /// A new thread and those it will create meet everybody who is alive.
  void startMeets(uint32_t thread, const BitVector& now) {
    BitVector started(count);
    addStarted(started, thread);
    for (unsigned each : now.set_bits()) {
      meets[each] |= started;
      for (unsigned other : started.set_bits())
        meets[other].set(each);
    }
  }

  const InstanceFlow& flowOf(InstanceId id) const {
    auto& entry = flows[raw(id)];
    if (!entry) {
      const FunctionConstraints& body = *pointsTo.instance(id).body;
      analyses.push_back(std::make_unique<Analysis>(Analysis{*this, id, body}));
      entry = std::make_unique<InstanceFlow>(*body.function, none(), *analyses.back());
    }
    return *entry;
  }

  const CallGraph& graph;
  const PointsTo& pointsTo;
  const Threads& threads;
  ThreadJoins joining;
  unsigned count;
  std::vector<InstanceId> relevant;
  BitVector concerned;             ///< the same as a set
  std::vector<InstanceId> joiners; ///< those that create or join threads themselves
  DenseSet<uint32_t> entries;      ///< instances that threads begin with
  bool settled = true;
  DenseMap<uint32_t, Change> changes;
  ThreadSets joins, starts;
  std::vector<BitVector> meets;
  mutable DenseMap<uint32_t, std::unique_ptr<InstanceFlow>> flows;
  mutable std::vector<std::unique_ptr<Analysis>> analyses;
};

MayHappenInParallel::MayHappenInParallel(const CallGraph& graph, const Threads& threads)
    : impl_(std::make_unique<Impl>(graph, threads)) {
  impl_->findRelevant();
  impl_->addUpCalls(impl_->joins, [&](InstanceId id) { return impl_->joinedIn(id); });
  impl_->addUpCalls(impl_->starts, [&](InstanceId id) { return impl_->startedIn(id); });
  impl_->findChanges();
  impl_->meets.assign(impl_->count, BitVector(impl_->count));
}

MayHappenInParallel::~MayHappenInParallel() = default;

bool MayHappenInParallel::isSettled() const { return impl_->settled; }

bool MayHappenInParallel::isConstant(InstanceId instance) const {
  return !impl_->concerned.test(raw(instance));
}

BitVector MayHappenInParallel::aliveAt(InstanceId id, const BitVector& entering,
                                       const Instruction& at) const {
  if (isConstant(id))
    return entering;
  const FunctionConstraints& body = *impl_->pointsTo.instance(id).body;
  const Change* start = impl_->flowOf(id).at(*at.getParent());
  if (!start)
    return entering;
  Impl::Analysis analysis{*impl_, id, body};
  Change change = *start;
  for (const Instruction& instruction : *at.getParent()) {
    if (&instruction == &at)
      break;
    analysis.step(change, instruction);
  }
  return Impl::aliveAfter(entering, change);
}

bool MayHappenInParallel::outlives(uint32_t thread, InstanceId instance) const {
  auto found = impl_->changes.find(raw(instance));
  return found == impl_->changes.end() || found->second.started.test(thread);
}

/// Whether control can get from the one to the other.
static bool comesBefore(const Instruction& one, const Instruction& other) {
  if (one.getParent() == other.getParent() && one.comesBefore(&other))
    return true;
  SmallPtrSet<const BasicBlock*, 16> seen;
  SmallVector<const BasicBlock*, 16> open(successors(one.getParent()));
  while (!open.empty()) {
    const BasicBlock* block = open.pop_back_val();
    if (block == other.getParent())
      return true;
    if (seen.insert(block).second)
      append_range(open, successors(block));
  }
  return false;
}

bool MayHappenInParallel::mayHaveStarted(uint32_t thread, InstanceId instance,
                                         const Instruction& at) const {
  auto found = impl_->starts.find(raw(instance));
  if (found == impl_->starts.end() || !found->second.test(thread))
    return false;
  const FunctionConstraints& body = *impl_->pointsTo.instance(instance).body;
  return any_of(impl_->graph.calls(instance), [&](const CallEdge& edge) {
    return impl_->startedBy(edge).test(thread) &&
           comesBefore(*body.calls[edge.call].instruction, at);
  });
}

void MayHappenInParallel::start(InstanceId creator, uint32_t call, const BitVector& alive) {
  for (uint32_t t = 1; t < impl_->count; ++t)
    if (impl_->threads.all()[t].creator == creator && impl_->threads.all()[t].call == call)
      impl_->startMeets(t, alive);
}

bool MayHappenInParallel::mayMeet(uint32_t one, uint32_t other) const {
  return impl_->meets[one].test(other);
}

} // namespace heddle::analysis
