#include "static/sharing/freshness.h"

#include "static/ir/flow.h"
#include "static/ir/object_types.h"
#include "static/program/sites.h"

#include "llvm/IR/IntrinsicInst.h"

#include <deque>

using namespace llvm;

namespace heddle::analysis {
namespace {

constexpr uint32_t kMostParameters = 31;
constexpr uint32_t kUnknown = 1u << 31; ///< a source that is no parameter

/// What a function does to what its parameters point at.
struct Effects {
  uint32_t published = 0; ///< bit i: parameter i's object may be known to others afterwards
  /// Per parameter: from which others (or from elsewhere) addresses were stored into its object.
  SmallVector<uint32_t, 4> from;
  bool returnsFresh = false;
  uint32_t inResult =
      0; ///< from which parameters (or elsewhere) addresses got into what it returns

  bool operator==(const Effects&) const = default;
};

struct Root {
  bool pure = true;
  bool last = false;                  ///< the last owner has it: nobody else does any more
  SmallVector<const Value*, 2> holds; ///< fresh roots whose addresses were stored into it

  bool operator==(const Root&) const = default;
};

bool isDestructor(const Function& function) {
  StringRef name = function.getName();
  return name.ends_with("D0Ev") || name.ends_with("D1Ev") || name.ends_with("D2Ev");
}

/// The local variable whose life begins with the call: what it returns into, or constructs. Not all
/// temporaries have markers that say so.
const AllocaInst* madeBy(const CallBase& call) {
  const Function* callee = call.getCalledFunction();
  if (call.arg_size() == 0)
    return nullptr;
  bool makes = call.hasStructRetAttr() || (callee && constructedClass(*callee));
  return makes ? dyn_cast<AllocaInst>(call.getArgOperand(0)) : nullptr;
}

/// What std::shared_ptr calls when the last owner is gone.
bool isLastOwners(const Function& function) {
  StringRef name = function.getName();
  return name.starts_with("_ZNSt") && name.contains("_Sp_counted_") &&
         (name.ends_with("10_M_disposeEv") || name.ends_with("10_M_destroyEv"));
}

/// Whether the memory order of a call's argument lets it order both what was before and what comes.
bool ordersBoth(const CallBase& call, unsigned argument) {
  constexpr uint64_t kAcquireRelease = 4; // of std::memory_order, as is 5 for seq_cst
  auto* order =
      call.arg_size() > argument ? dyn_cast<ConstantInt>(call.getArgOperand(argument)) : nullptr;
  return order && order->getZExtValue() >= kAcquireRelease;
}

/// A count of owners that is taken down by one: the count's address, and what the result is for the
/// last one.
struct Decrement {
  const Value* count = nullptr;
  uint64_t last = 0;
};

Decrement decrementOf(const Value* value) {
  auto isOne = [](const Value* number) {
    auto* constant = dyn_cast<ConstantInt>(number);
    return constant && constant->isOne();
  };
  if (auto* update = dyn_cast<AtomicRMWInst>(value))
    return update->getOperation() == AtomicRMWInst::Sub && isOne(update->getValOperand()) &&
                   isAtLeastOrStrongerThan(update->getOrdering(), AtomicOrdering::AcquireRelease)
               ? Decrement{update->getPointerOperand(), 1}
               : Decrement{};
  auto* call = dyn_cast<CallBase>(value);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || !callee->getName().starts_with("_ZNSt13__atomic_baseI"))
    return {};
  StringRef name = callee->getName();
  if (name.contains("E9fetch_subE") && isOne(call->getArgOperand(1)) && ordersBoth(*call, 2))
    return {call->getArgOperand(0), 1};
  if (name.ends_with("EmmEv"))
    return {call->getArgOperand(0), 0};
  return name.ends_with("EmmEi") ? Decrement{call->getArgOperand(0), 1} : Decrement{};
}

/// The count that the branch to a block says was taken down to nothing; null: none.
const Value* countAtEnd(const BasicBlock& from, const BasicBlock& to) {
  auto* branch = dyn_cast<BranchInst>(from.getTerminator());
  auto* compare =
      branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
  auto* number = compare ? dyn_cast<ConstantInt>(compare->getOperand(1)) : nullptr;
  if (!number || !compare->isEquality() || branch->getSuccessor(0) == branch->getSuccessor(1))
    return nullptr;
  bool equal = (compare->getPredicate() == ICmpInst::ICMP_EQ) == (branch->getSuccessor(0) == &to);
  Decrement decrement = decrementOf(compare->getOperand(0));
  return equal && decrement.count && number->getZExtValue() == decrement.last ? decrement.count
                                                                              : nullptr;
}

/// Fresh roots: parameters, locals, allocations.
using State = SmallMapVector<const Value*, Root, 8>;

} // namespace

struct Freshness::Impl {
  Impl(const CallGraph& graph, const Escape& escape, Paths& paths)
      : graph(graph), pointsTo(graph.pointsTo()), escape(escape), paths(paths) {}

  struct Analysis {
    const Impl& impl;
    InstanceId id;
    const FunctionConstraints& body;
    Effects* effects = nullptr; ///< collects what is stored into parameters

    /// A pointer that walks through an object has the root that it starts from.
    const Value* rootOf(const Value* value) const {
      const Value* root = impl.paths.rootOf(impl.paths.of(value));
      if (!isa_and_nonnull<PHINode>(root))
        return root;
      SmallPtrSet<const Value*, 8> seen{root};
      SmallVector<const Value*, 4> open{root};
      const Value* start = nullptr;
      while (!open.empty())
        for (const Value* incoming : cast<PHINode>(open.pop_back_val())->incoming_values()) {
          const Value* each = impl.paths.rootOf(impl.paths.of(incoming));
          if (!each || isa<ConstantPointerNull>(each) || !seen.insert(each).second)
            continue;
          if (isa<PHINode>(each))
            open.push_back(each);
          else if (start)
            return root; // several
          else
            start = each;
        }
      return start ? start : root;
    }

    static void publish(State& state, const Value* root) {
      auto found = state.find(root);
      if (found == state.end())
        return;
      SmallVector<const Value*, 2> holds = found->second.holds;
      state.erase(root);
      for (const Value* each : holds)
        publish(state, each);
    }

    bool isShared(const Value* address) const {
      return any_of(impl.pointsTo.pointees(id, address), [&](uint32_t location) {
        return impl.escape.escapes(
            impl.pointsTo.location(static_cast<LocationId>(location)).object);
      });
    }

    /// The address of (or in) `value`'s object becomes part of `target`'s.
    void store(State& state, const Value* target, const Value* value) const {
      if (leadsNowhere(value))
        return;
      const Value* into = rootOf(target);
      const Value* from = rootOf(value);
      noteStore(state, into, from, value);
      auto holder = state.find(into);
      if (holder == state.end()) {
        if (isShared(target))
          publish(state, from);
        return;
      }
      if (into == from)
        return;
      auto held = state.find(from);
      if (held == state.end()) {
        if (mayLead(value))
          holder->second.pure = false;
        return;
      }
      bool pure = held->second.pure;
      if (!is_contained(holder->second.holds, from))
        holder->second.holds.push_back(from);
      holder->second.pure &= pure;
    }

    /// Addresses behind which there is nothing that can be written: null, code, vtables.
    static bool leadsNowhere(const Value* value) {
      auto* constant = dyn_cast<Constant>(value);
      if (!constant)
        return false;
      auto* variable = dyn_cast<GlobalVariable>(constant->stripInBoundsOffsets());
      return isa<ConstantPointerNull>(constant) || isa<UndefValue>(constant) ||
             isa<Function>(constant) ||
             (variable && (isVtable(*variable) || isPlainConstant(*variable)));
    }

    /// Literals and tables of numbers.
    static bool isPlainConstant(const GlobalVariable& variable) {
      if (!variable.isConstant() || !variable.hasInitializer())
        return false;
      SmallVector<ConstantAddress, 1> addresses;
      collectAddresses(*variable.getInitializer(), variable.getDataLayout(), addresses);
      return addresses.empty();
    }

    /// Whether addresses are kept where this one leads: a copy of bytes copies none.
    bool holdsAddresses(const Value* address) const {
      return any_of(impl.pointsTo.pointees(id, address), [&](uint32_t location) {
        return impl.holdsAddresses(
            impl.pointsTo.location(static_cast<LocationId>(location)).object);
      });
    }

    /// Whether following the address can lead to what other threads know.
    bool mayLead(const Value* value) const { return isShared(value); }

    /// Remembers for the callers that an address got into a parameter's object. `value` is null
    /// for one that a callee took from elsewhere.
    void noteStore(const State& state, const Value* into, const Value* from,
                   const Value* value) const {
      auto* parameter = dyn_cast_or_null<Argument>(into);
      if (!effects || !parameter || parameter->getArgNo() >= effects->from.size())
        return;
      effects->from[parameter->getArgNo()] |=
          sourcesOf(state, from, !value || isShared(value), parameter);
    }

    /// The parameters that a root is or holds; `foreign`: one that is not known comes from
    /// elsewhere.
    static uint32_t sourcesOf(const State& state, const Value* from, bool foreign,
                              const Argument* except) {
      uint32_t sources = 0;
      // What is stored may hold more, which may hold it.
      SmallPtrSet<const Value*, 8> known{from};
      SmallVector<const Value*, 8> open{from};
      while (!open.empty()) {
        const Value* each = open.pop_back_val();
        auto* source = dyn_cast_or_null<Argument>(each);
        if (source && source == except)
          continue;
        if (source && source->getArgNo() < kMostParameters) {
          sources |= 1u << source->getArgNo();
          continue;
        }
        auto fresh = state.find(each);
        if (fresh == state.end()) {
          if (foreign)
            sources |= kUnknown;
          continue;
        }
        if (!fresh->second.pure)
          sources |= kUnknown;
        for (const Value* held : fresh->second.holds)
          if (known.insert(held).second)
            open.push_back(held);
      }
      return sources;
    }

    bool isAllocation(const Value* value) const {
      auto* call = dyn_cast_or_null<CallBase>(value);
      int index = call ? impl.graph.callIndex(body, *call) : -1;
      if (index < 0)
        return false;
      const CallOp& op = body.calls[index];
      if (op.model)
        return returnsNew(op.model->effect);
      if (op.allocates)
        return true;
      auto edges = impl.graph.calls(id, index);
      return !edges.empty() && all_of(edges, [&](const CallEdge& edge) {
        auto found = impl.effects.find(raw(edge.callee));
        return found != impl.effects.end() && found->second.returnsFresh;
      });
    }

    void step(State& state, const Instruction& instruction) const {
      if (isa<AllocaInst>(instruction)) {
        state[&instruction] = {};
        return;
      }
      if (auto* store_ = dyn_cast<StoreInst>(&instruction)) {
        if (store_->getValueOperand()->getType()->isPointerTy())
          store(state, store_->getPointerOperand(), store_->getValueOperand());
        return;
      }
      if (auto* update = dyn_cast<AtomicRMWInst>(&instruction)) {
        if (update->getType()->isPointerTy())
          store(state, update->getPointerOperand(), update->getValOperand());
        return;
      }
      if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
        if (exchange->getNewValOperand()->getType()->isPointerTy())
          store(state, exchange->getPointerOperand(), exchange->getNewValOperand());
        return;
      }
      if (auto* transfer = dyn_cast<MemTransferInst>(&instruction)) {
        copy(state, transfer->getRawDest(), transfer->getRawSource());
        return;
      }
      if (auto* marker = dyn_cast<LifetimeIntrinsic>(&instruction)) {
        // Another variable in each iteration of a loop: who knew the last one must not use it any
        // more.
        if (marker->getIntrinsicID() == Intrinsic::lifetime_start)
          if (auto* local = dyn_cast<AllocaInst>(marker->getArgOperand(1)->stripPointerCasts()))
            state[local] = {};
        return;
      }
      if (auto* call = dyn_cast<CallBase>(&instruction))
        stepCall(state, *call);
    }

    /// All addresses in one object get into another.
    void copy(State& state, const Value* target, const Value* source) const {
      if (!holdsAddresses(source))
        return;
      const Value* into = rootOf(target);
      const Value* from = rootOf(source);
      noteStore(state, into, from, source);
      auto holder = state.find(into);
      auto held = state.find(from);
      if (holder == state.end()) {
        if (isShared(target))
          publish(state, from);
        return;
      }
      if (into == from)
        return;
      if (held == state.end()) {
        if (isShared(source))
          holder->second.pure = false;
        return;
      }
      bool pure = held->second.pure;
      if (!is_contained(holder->second.holds, from))
        holder->second.holds.push_back(from);
      holder->second.pure &= pure;
    }

    void stepCall(State& state, const CallBase& call) const {
      if (const AllocaInst* made = madeBy(call))
        state[made] = {};
      int index = impl.graph.callIndex(body, call);
      if (index < 0)
        return;
      const CallOp& op = body.calls[index];
      if (op.model) {
        stepModel(state, op);
        if (returnsNew(op.model->effect))
          state[&call] = {};
        if (op.model->effect != Effect::CallsBack && op.model->effect != Effect::CallsLater &&
            op.model->effect != Effect::CallsAtExit && op.model->effect != Effect::Once)
          return;
      }
      auto edges = impl.graph.calls(id, index);
      for (const CallEdge& edge : edges)
        if (auto found = impl.effects.find(raw(edge.callee)); found != impl.effects.end())
          apply(state, call, found->second);
      if (call.getType()->isPointerTy() && rootOf(&call) == &call && isAllocation(&call)) {
        state[&call] = {};
        for (const CallEdge& edge : edges)
          if (auto found = impl.effects.find(raw(edge.callee)); found != impl.effects.end())
            fillResult(state, call, found->second.inResult);
      }
    }

    /// Addresses that the callee has put into the new object that it returns.
    void fillResult(State& state, const CallBase& call, uint32_t sources) const {
      bool pure = !(sources & kUnknown);
      SmallVector<const Value*, 2> holds;
      for (unsigned i = 0; i < call.arg_size() && i < kMostParameters; ++i) {
        const Value* argument = call.getArgOperand(i);
        if (!(sources & 1u << i) || !argument->getType()->isPointerTy())
          continue;
        auto held = state.find(rootOf(argument));
        if (held == state.end()) {
          pure &= !mayLead(argument);
          continue;
        }
        holds.push_back(held->first);
        pure &= held->second.pure;
      }
      Root& made = state[&call];
      made.pure &= pure;
      for (const Value* each : holds)
        if (!is_contained(made.holds, each))
          made.holds.push_back(each);
    }

    void stepModel(State& state, const CallOp& op) const {
      const CallBase& call = *op.instruction;
      switch (op.model->effect) {
      case Effect::ThreadCreate:
        publish(state, rootOf(call.getArgOperand(op.model->c)));
        break;
      case Effect::StateThreadCreate:
        publish(state, rootOf(call.getArgOperand(op.model->b)));
        break;
      case Effect::CopyMemory:
        copy(state, call.getArgOperand(op.model->a), call.getArgOperand(op.model->b));
        break;
      case Effect::Keeps:
        if (auto found = state.find(rootOf(call.getArgOperand(op.model->a)));
            found != state.end()) {
          auto held = found->second.holds; // publishing changes the state
          for (const Value* each : held)
            publish(state, each);
        }
        break;
      case Effect::HandsOut: {
        const Value* root = rootOf(call.getArgOperand(op.model->a));
        noteStore(state, root, nullptr, nullptr);
        if (auto found = state.find(root); found != state.end())
          found->second.pure = false;
        break;
      }
      case Effect::Throw:
        publish(state, rootOf(call.getArgOperand(op.model->a)));
        break;
      default:
        break;
      }
    }

    void apply(State& state, const CallBase& call, const Effects& done) const {
      unsigned count = std::min<unsigned>(call.arg_size(), done.from.size());
      for (unsigned i = 0; i < count; ++i) {
        uint32_t from = done.from[i];
        if (!from || !call.getArgOperand(i)->getType()->isPointerTy())
          continue;
        for (unsigned j = 0; j < count; ++j)
          if (from & 1u << j && call.getArgOperand(j)->getType()->isPointerTy())
            store(state, call.getArgOperand(i), call.getArgOperand(j));
        if (from & kUnknown) {
          const Value* root = rootOf(call.getArgOperand(i));
          noteStore(state, root, nullptr, nullptr);
          if (auto found = state.find(root); found != state.end())
            found->second.pure = false;
        }
      }
      for (unsigned i = 0; i < count && i < kMostParameters; ++i)
        if (done.published & 1u << i && call.getArgOperand(i)->getType()->isPointerTy())
          publish(state, rootOf(call.getArgOperand(i)));
    }

    /// Who takes the count in an object down to nothing has the object alone.
    void edge(State& state, const State&, const BasicBlock& from, const BasicBlock& to) const {
      const Value* count = countAtEnd(from, to);
      PathId path = count ? impl.paths.of(count) : PathId::None;
      if (path == PathId::None || impl.paths.hasLoad(path))
        return;
      Root& root = state[impl.paths.rootOf(path)];
      root.pure = false;
      root.last = true;
    }

    bool merge(State& into, const State& from) const {
      SmallVector<const Value*, 4> gone;
      bool changed = false;
      for (auto& [root, each] : into) {
        auto other = from.find(root);
        if (other == from.end()) {
          gone.push_back(root);
          continue;
        }
        if (each.pure && !other->second.pure) {
          each.pure = false;
          changed = true;
        }
        if (each.last && !other->second.last) {
          each.last = false;
          changed = true;
        }
        for (const Value* held : other->second.holds)
          if (!is_contained(each.holds, held)) {
            each.holds.push_back(held);
            changed = true;
          }
      }
      for (const Value* root : gone)
        into.erase(root);
      return changed || !gone.empty();
    }
  };

  bool holdsAddresses(ObjectId object) const {
    auto [entry, isNew] = holding.try_emplace(raw(object), false);
    if (isNew)
      entry->second = any_of(pointsTo.object(object).locations, [&](LocationId each) {
        return any_of(pointsTo.contents(each), [&](uint32_t content) {
          ObjectKind kind = pointsTo.objectOf(static_cast<LocationId>(content)).kind;
          return kind != ObjectKind::Iteration && kind != ObjectKind::Function;
        });
      });
    return entry->second;
  }

  using InstanceFlow = Flow<State, Analysis>;

  State entryState(const FunctionConstraints& body, FreshParameters entering) const {
    State state;
    for (const Argument& argument : body.function->args()) {
      unsigned i = argument.getArgNo();
      if (i >= kMostParameters || !(entering.fresh & 1u << i))
        continue;
      Root root;
      root.pure = entering.pure & 1u << i;
      state[&argument] = root;
    }
    return state;
  }

  void findEffects() {
    std::deque<InstanceId> queue;
    std::vector<char> queued(pointsTo.instances().size(), 1);
    for (uint32_t i = 0; i < pointsTo.instances().size(); ++i)
      queue.push_back(static_cast<InstanceId>(i));
    size_t budget = queue.size() * 20 + 1000;
    while (!queue.empty() && budget-- > 0) {
      graph.tick(queue.size(), "functions to go");
      InstanceId id = queue.front();
      queue.pop_front();
      queued[raw(id)] = 0;
      if (!findEffect(id))
        continue;
      for (const CallEdge& edge : graph.callers(id))
        if (edge.kind == EdgeKind::Call && !queued[raw(edge.caller)]) {
          queued[raw(edge.caller)] = 1;
          queue.push_back(edge.caller);
        }
    }
  }

  bool findEffect(InstanceId id) {
    const FunctionConstraints& body = *pointsTo.instance(id).body;
    Effects found;
    found.from.assign(std::min<size_t>(body.function->arg_size(), kMostParameters), 0);
    Analysis analysis{*this, id, body, &found};
    FreshParameters all{~0u, ~0u};
    InstanceFlow flow(*body.function, entryState(body, all), analysis);
    bool returns = false;
    found.returnsFresh = body.function->getReturnType()->isPointerTy();
    for (const BasicBlock& block : *body.function) {
      auto* end = dyn_cast<ReturnInst>(block.getTerminator());
      const State* start = flow.at(block);
      if (!end || !start)
        continue;
      returns = true;
      State state = *start;
      for (const Instruction& instruction : block)
        analysis.step(state, instruction);
      for (const Argument& argument : body.function->args())
        if (argument.getType()->isPointerTy() && argument.getArgNo() < kMostParameters &&
            state.find(&argument) == state.end())
          found.published |= 1u << argument.getArgNo();
      if (found.returnsFresh) {
        const Value* root = analysis.rootOf(end->getReturnValue());
        found.returnsFresh = root && !isa<Argument>(root) && !isa<AllocaInst>(root) &&
                             state.find(root) != state.end();
        if (found.returnsFresh)
          found.inResult |= Analysis::sourcesOf(state, root, /*foreign=*/true, nullptr);
      }
    }
    if (!returns)
      found.returnsFresh = false;
    auto [entry, isNew] = effects.try_emplace(raw(id), found);
    if (!isNew && entry->second == found)
      return false;
    entry->second = found;
    return true;
  }

  class InstanceAnswers : public Answers {
  public:
    InstanceAnswers(const Impl& impl, InstanceId id, FreshParameters entering)
        : last_(entering.last), owned_(entering.owned),
          analysis_{impl, id, *impl.pointsTo.instance(id).body},
          flow_(*analysis_.body.function, impl.entryState(analysis_.body, entering), analysis_) {}

    bool isFresh(const Instruction& at, const Value* address) override {
      if (owned_)
        return true;
      const State* state = before(at);
      PathId path = analysis_.impl.paths.of(address);
      const Value* root = analysis_.impl.paths.rootOf(path);
      if (!state || !root)
        return false;
      auto found = state->find(root);
      if (found == state->end())
        return false;
      return found->second.pure || !analysis_.impl.paths.hasLoad(path);
    }

    FreshParameters atCall(const CallBase& call, const FunctionConstraints& callee) override {
      if (isLastOwners(*callee.function))
        return {1u, 1u, true};
      FreshParameters result;
      const State* state = before(call);
      if (!state)
        return result;
      State begun;
      if (const AllocaInst* made = madeBy(call)) {
        begun = *state;
        begun[made] = {};
        state = &begun;
      }
      unsigned count = std::min<unsigned>(
          {call.arg_size(), kMostParameters, static_cast<unsigned>(callee.parameters.size())});
      for (unsigned i = 0; i < count; ++i) {
        const Value* argument = call.getArgOperand(i);
        if (!argument->getType()->isPointerTy())
          continue;
        PathId path = analysis_.impl.paths.of(argument);
        auto found = state->find(analysis_.impl.paths.rootOf(path));
        if (found == state->end())
          continue;
        bool pure = found->second.pure;
        if (pure || !analysis_.impl.paths.hasLoad(path))
          result.fresh |= 1u << i;
        if (pure)
          result.pure |= 1u << i;
      }
      result.last = last_ || isLast(*state, call, callee.receiver);
      if (result.last)
        destroy(*callee.function, callee.receiver, result);
      return result;
    }

  private:
    bool isLast(const State& state, const CallBase& call, uint32_t receiver) const {
      if (receiver >= call.arg_size() || !call.getArgOperand(receiver)->getType()->isPointerTy())
        return false;
      auto found = state.find(analysis_.rootOf(call.getArgOperand(receiver)));
      return found != state.end() && found->second.last;
    }

    /// The owners' object itself is theirs alone, not what the program's own destructors find
    /// behind its pointers; a library's containers own what they point to, and so what they
    /// destroy.
    void destroy(const Function& callee, uint32_t receiver, FreshParameters& result) const {
      if (owned_ && isDestructor(callee))
        result.fresh |= 1u << receiver;
      bool fresh = result.fresh & (1u << receiver);
      if (!isLibrary(callee))
        result.pure = 0;
      else
        result.owned = owned_ || (fresh && isDestructor(callee));
    }

    const State* before(const Instruction& at) {
      if (at.getParent() != block_) {
        block_ = at.getParent();
        states_.clear();
        if (const State* start = flow_.at(*block_)) {
          State state = *start;
          for (const Instruction& instruction : *block_) {
            if (instruction.mayReadOrWriteMemory())
              states_[&instruction] = state;
            analysis_.step(state, instruction);
          }
        }
      }
      auto found = states_.find(&at);
      return found == states_.end() ? nullptr : &found->second;
    }

    bool last_, owned_;
    Analysis analysis_;
    InstanceFlow flow_;
    const BasicBlock* block_ = nullptr;
    DenseMap<const Instruction*, State> states_;
  };

  const CallGraph& graph;
  const PointsTo& pointsTo;
  const Escape& escape;
  Paths& paths;
  DenseMap<uint32_t, Effects> effects;
  mutable DenseMap<uint32_t, bool> holding; ///< objects that addresses are kept in
};

Freshness::Freshness(const CallGraph& graph, const Escape& escape, Paths& paths)
    : impl_(std::make_unique<Impl>(graph, escape, paths)) {
  impl_->findEffects();
}

Freshness::~Freshness() = default;

std::unique_ptr<Freshness::Answers> Freshness::of(InstanceId instance,
                                                  FreshParameters entering) const {
  return std::make_unique<Impl::InstanceAnswers>(*impl_, instance, entering);
}

} // namespace heddle::analysis
