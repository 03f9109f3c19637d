#include "static/sharing/ownership.h"

#include "static/ir/flow.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include <deque>

using namespace llvm;

namespace heddle::analysis {
namespace {

constexpr uint32_t kMostParameters = 32;
constexpr size_t kMostCompared = 1024;

/// What is known of a value.
struct Entry {
  Owned kind = Owned::No;
  /// The value in whose object the owner lies that it was read from; null for a parameter, and when
  /// the owner may have been given something else since.
  const Value* holder = nullptr;
  /// What is no owner's: the holder itself, a parameter, or what was read from elsewhere in its
  /// object.
  enum class Of : uint8_t { Owner, Itself, Content };
  Of of = Of::Owner;

  bool isOwned() const { return kind != Owned::No; }
  bool isNothing() const { return kind == Owned::No && of == Of::Owner; }
  bool operator==(const Entry&) const = default;
};

/// What holds for both.
Entry meet(const Entry& one, const Entry& other) {
  if (one == other)
    return one;
  if (!one.isOwned() || !other.isOwned())
    return {};
  bool same = one.holder == other.holder;
  Owned kind = std::min(one.kind, other.kind);
  return {same ? kind : std::min(kind, Owned::Loose), same ? one.holder : nullptr};
}

struct State {
  SmallMapVector<const Value*, Entry, 8> values;
  /// Where addresses lead that were put into local variables, those in owners left out.
  SmallMapVector<const Value*, Entry, 4> carried;
};

/// What a function does to owners, in its own terms.
struct Summary {
  bool releases = false;      ///< what it did before may be known to others afterwards
  uint32_t changes = 0;       ///< bit i: owners in parameter i's object may get something else
  bool changesOthers = false; ///< and owners elsewhere
  /// What it puts into a parameter's object, outside of owners.
  struct Put {
    bool other = false;    ///< what is not owned
    bool tied = false;     ///< what is tied to an owner that has no name in the caller
    uint32_t these = 0;    ///< bit j: parameter j itself
    uint32_t owned = 0;    ///< bit j: what an owner in parameter j's object has
    uint32_t contents = 0; ///< bit j: what is elsewhere in parameter j's object
    bool operator==(const Put&) const = default;
  };
  SmallVector<Put, 4> puts; ///< by parameter

  enum class Result : uint8_t { No, Tied, Loose, Owned, Content, Same };
  Result result = Result::No;
  /// Of which parameter: read from an owner in its object, or from elsewhere in it; or it is in it.
  uint32_t resultOf = 0;

  bool operator==(const Summary&) const = default;
};

/// std::function's manager and invoker get at what it keeps on the heap with these alone.
bool isOfFunctionManager(const Function& function) {
  StringRef name = function.getName();
  return name.starts_with("_ZNSt14_Function_base13_Base_managerI") &&
         (name.contains("14_M_get_pointerE") || name.contains("10_M_destroyE"));
}

/// Counts of owners order nothing that is not owned: see isOwnerCount of the pairs.
bool isCounting(const Function& function) {
  StringRef name = function.getName();
  return name.starts_with("_ZNSt16_Sp_counted_baseI") ||
         (name.starts_with("_ZN9__gnu_cxx") &&
          (name.contains("__exchange_and_add") || name.contains("__atomic_add")));
}

bool isReleasing(Effect effect) {
  switch (effect) {
  case Effect::ThreadCreate:
  case Effect::StateThreadCreate:
  case Effect::Unlock:
  case Effect::Wait:
  case Effect::StdWait:
  case Effect::Once:
  case Effect::BarrierWait:
  case Effect::SemaphorePost:
  case Effect::GuardRelease:
  case Effect::Keeps:
    return true;
  default:
    return false;
  }
}

/// Whether addresses get into the object of the model's first argument.
bool isWriting(Effect effect) {
  return effect == Effect::CopyMemory || effect == Effect::AllocateInto ||
         effect == Effect::HandsOut || effect == Effect::Link;
}

/// Whether others may learn by the instruction what was done before it.
bool isReleasing(const Instruction& instruction) {
  if (auto* store = dyn_cast<StoreInst>(&instruction))
    return store->isAtomic();
  return isa<AtomicRMWInst>(instruction) || isa<AtomicCmpXchgInst>(instruction) ||
         isa<FenceInst>(instruction);
}

/// The local variable whose life begins there.
const AllocaInst* begun(const Instruction& instruction) {
  if (auto* local = dyn_cast<AllocaInst>(&instruction))
    return local;
  auto* marker = dyn_cast<LifetimeIntrinsic>(&instruction);
  return marker && marker->getIntrinsicID() == Intrinsic::lifetime_start
             ? dyn_cast<AllocaInst>(marker->getArgOperand(1)->stripPointerCasts())
             : nullptr;
}

} // namespace

struct Ownership::Impl {
  Impl(const CallGraph& graph, const Escape& escape, Paths& paths)
      : graph(graph), pointsTo(graph.pointsTo()), escape(escape), paths(paths) {}

  // --- objects

  /// Whether the place belongs to an owner: a unique_ptr, a container.
  bool isOwner(LocationId id) const {
    auto [known, isNew] = owners.try_emplace(raw(id), false);
    if (!isNew)
      return known->second;
    const Location& at = pointsTo.location(id);
    const Object& object = pointsTo.object(at.object);
    uint64_t size = object.type ? object.type->getSizeInBits() / 8 : 0;
    bool whole = size && !object.collapsed && (at.stride == 0 || at.stride % size == 0);
    return owners[raw(id)] = whole && layouts.isOwner(object.type, at.offset % size);
  }

  bool isOwner(InstanceId id, const Value* address, bool all) const {
    auto [known, isNew] = ownersAt.try_emplace({raw(id), address});
    if (isNew) {
      auto places = pointsTo.pointees(id, address);
      auto owns = [&](uint32_t place) { return isOwner(static_cast<LocationId>(place)); };
      known->second = {any_of(places, owns), !places.empty() && all_of(places, owns)};
    }
    return all ? known->second.second : known->second.first;
  }

  bool isText(const Object& object, uint64_t offset) const {
    uint64_t size = object.type ? object.type->getSizeInBits() / 8 : 0;
    return size && !object.collapsed &&
           layouts.contentAt(object.type, offset % size).kind == CellContent::Kind::OwnText;
  }

  /// Objects whose address is kept somewhere in memory.
  void findKept() {
    kept.resize(pointsTo.objectCount());
    for (uint32_t i = 0; i < pointsTo.locationCount(); ++i) {
      auto id = static_cast<LocationId>(i);
      if (pointsTo.location(id).read == kNoNode)
        continue;
      const Location& at = pointsTo.location(id);
      bool text = isText(pointsTo.object(at.object), at.offset);
      for (uint32_t content : pointsTo.contents(id)) {
        ObjectId object = pointsTo.location(static_cast<LocationId>(content)).object;
        if (!text || object != at.object) // a short string points into itself
          kept.set(raw(object));
      }
    }
  }

  /// Whether only who was given the address can get at it.
  bool isPrivate(InstanceId id, const Value* address) const {
    auto [known, isNew] = private_.try_emplace({raw(id), address}, false);
    return isNew ? known->second = findPrivate(id, address) : known->second;
  }

  bool findPrivate(InstanceId id, const Value* address) const {
    auto places = pointsTo.pointees(id, address);
    return !places.empty() && all_of(places, [&](uint32_t place) {
      ObjectId object = pointsTo.location(static_cast<LocationId>(place)).object;
      return pointsTo.object(object).kind == ObjectKind::Local && !kept.test(raw(object)) &&
             !escape.escapes(object);
    });
  }

  bool isShared(InstanceId id, const Value* address) const {
    return any_of(pointsTo.pointees(id, address), [&](uint32_t place) {
      return escape.escapes(pointsTo.location(static_cast<LocationId>(place)).object);
    });
  }

  /// The value that an address is in the object of, without loads: a parameter, a local variable,
  /// what was loaded or returned.
  const Value* carrier(const Value* value) const {
    auto [known, isNew] = carriers.try_emplace(value, nullptr);
    if (!isNew)
      return known->second;
    const Value* found = findCarrier(value);
    return carriers[value] = found;
  }

  const Value* findCarrier(const Value* value) const {
    for (;;) {
      value = value->stripPointerCastsAndAliases();
      if (auto* gep = dyn_cast<GEPOperator>(value)) {
        value = gep->getPointerOperand();
        continue;
      }
      if (auto* call = dyn_cast<CallBase>(value)) {
        PathId path = paths.of(call);
        const Value* root = paths.rootOf(path);
        if (!root || root == call || paths.hasLoad(path))
          return call;
        value = root;
        continue;
      }
      if (auto* phi = dyn_cast<PHINode>(value)) {
        const Value* start = startOf(*phi);
        if (!start)
          return phi;
        value = start;
        continue;
      }
      return value;
    }
  }

  /// Where a pointer starts that walks through an object; null: not in one place.
  static const Value* startOf(const PHINode& phi) {
    const Value* start = nullptr;
    for (const Value* incoming : phi.incoming_values()) {
      const Value* base = incoming->stripInBoundsOffsets();
      if (base == &phi)
        continue;
      if (start)
        return nullptr;
      start = incoming;
    }
    return start;
  }

  // --- the flow through one instance

  struct Analysis {
    const Impl& impl;
    InstanceId id;
    const FunctionConstraints& body;
    Summary* summary = nullptr; ///< collects what is done to parameters
    bool counting = isCounting(*body.function);

    /// The value that an address is in the object of; for one that a call has returned as it was
    /// given it, the parameter.
    const Value* carrier(const State& state, const Value* value) const {
      const Value* found = impl.carrier(value);
      auto known = state.values.find(found);
      bool same = known != state.values.end() && known->second.of == Entry::Of::Itself;
      return same ? known->second.holder : found;
    }

    Entry entryOf(const State& state, const Value* value) const {
      auto found = state.values.find(carrier(state, value));
      return found == state.values.end() ? Entry{} : found->second;
    }

    /// What was read from an owner in the object of `holder`.
    Entry readFrom(const State& state, const Value* holder, const Value* address) const {
      auto found = state.values.find(holder);
      Owned kind = Owned::Tied;
      if (found != state.values.end() && found->second.kind != Owned::No)
        kind = found->second.kind;
      else if (impl.isPrivate(id, address) && !isAliased(holder))
        kind = Owned::Steady;
      return {kind, holder};
    }

    /// Whether another parameter may lead to the same object.
    bool isAliased(const Value* holder) const {
      auto* parameter = dyn_cast<Argument>(holder);
      if (!parameter)
        return false;
      auto [known, isNew] = impl.aliased.try_emplace({raw(id), parameter}, false);
      return isNew ? known->second = findAliased(parameter) : known->second;
    }

    bool findAliased(const Argument* parameter) const {
      return any_of(body.function->args(), [&](const Argument& other) {
        return &other != parameter && other.getType()->isPointerTy() && meetIn(*parameter, other);
      });
    }

    /// Whether the two may lead to one object; of large sets it is not asked.
    bool meetIn(const Value& one, const Value& other) const {
      auto first = impl.pointsTo.pointees(id, &one);
      auto second = impl.pointsTo.pointees(id, &other);
      if (first.size() * second.size() > kMostCompared)
        return true;
      auto objectOf = [&](uint32_t place) {
        return impl.pointsTo.location(static_cast<LocationId>(place)).object;
      };
      return any_of(first, [&](uint32_t a) {
        return any_of(second, [&](uint32_t b) { return objectOf(a) == objectOf(b); });
      });
    }

    static void set(State& state, const Value& value, const Entry& entry) {
      if (entry.isNothing())
        state.values.erase(&value);
      else
        state.values[&value] = entry;
    }

    /// Owners in the holder's object may have got something else: what was read before stays
    /// ordered until the thread releases something.
    void change(State& state, const Value* holder) const {
      auto* parameter = dyn_cast<Argument>(holder);
      if (summary && parameter && parameter->getArgNo() < kMostParameters)
        summary->changes |= 1u << parameter->getArgNo();
      else if (summary && !isa<AllocaInst>(holder))
        summary->changesOthers = true;
      loosen(state, [&](const Value& other) { return &other == holder || meetIn(other, *holder); });
    }

    /// The same for owners that no value of this function leads to.
    void changeOthers(State& state) const {
      if (summary)
        summary->changesOthers = true;
      loosen(state, [&](const Value& other) { return !impl.isPrivate(id, &other); });
    }

    /// What was read from such holders, and what was read from that.
    void loosen(State& state, function_ref<bool(const Value&)> isChanged) const {
      SmallPtrSet<const Value*, 8> changed;
      auto concerns = [&](const Entry& entry) {
        return entry.isOwned() && entry.holder &&
               (changed.contains(entry.holder) || isChanged(*entry.holder));
      };
      for (bool again = true; again;) {
        again = false;
        for (auto& [value, entry] : state.values)
          if (concerns(entry)) {
            entry = {std::min(entry.kind, Owned::Loose), nullptr};
            changed.insert(value);
            again = true;
          }
      }
      for (auto& [local, entry] : state.carried)
        if (concerns(entry))
          entry = {std::min(entry.kind, Owned::Loose), nullptr};
    }

    void release(State& state) const {
      if (counting)
        return;
      if (summary)
        summary->releases = true;
      state.values.remove_if([](const auto& each) {
        return each.second.isOwned() && each.second.kind != Owned::Steady;
      });
      for (auto& [local, entry] : state.carried)
        if (entry.kind != Owned::Steady)
          entry = {};
    }

    void carry(State& state, const Value* local, const Entry& entry) const {
      auto [known, isNew] = state.carried.insert({local, entry});
      if (!isNew)
        known->second = meet(known->second, entry);
    }

    void step(State& state, const Instruction& instruction) const {
      if (const AllocaInst* local = begun(instruction)) {
        state.carried.erase(local);
        return;
      }
      if (auto* load = dyn_cast<LoadInst>(&instruction)) {
        if (load->getType()->isPointerTy())
          stepLoad(state, *load);
      } else if (auto* store = dyn_cast<StoreInst>(&instruction)) {
        if (mayBeAddress(store->getValueOperand()))
          put(state, store->getPointerOperand(), store->getValueOperand());
      } else if (auto* memory = dyn_cast<MemIntrinsic>(&instruction)) {
        overwrite(state, *memory);
      } else if (auto* call = dyn_cast<CallBase>(&instruction)) {
        stepCall(state, *call);
      }
      if (isReleasing(instruction))
        release(state);
    }

    bool mayBeAddress(const Value* value) const {
      return value->getType()->isPointerTy() ||
             (value->getType()->isIntegerTy(64) && !impl.pointsTo.pointees(id, value).empty());
    }

    void stepLoad(State& state, const LoadInst& load) const {
      const Value* address = load.getPointerOperand();
      const Value* holder = carrier(state, address);
      if (isOfFunctionManager(*body.function) || impl.isOwner(id, address, /*all=*/true)) {
        set(state, load, readFrom(state, holder, address));
        return;
      }
      set(state, load, contentIn(state, holder));
    }

    void put(State& state, const Value* address, const Value* value) const {
      const Value* into = carrier(state, address);
      if (impl.isOwner(id, address, /*all=*/false))
        change(state, into);
      if (impl.isOwner(id, address, /*all=*/true) || isa<Constant>(value))
        return;
      Entry entry = entryOf(state, value);
      if (isa<AllocaInst>(into))
        carry(state, into, entry.isOwned() ? entry : Entry{});
      else if (auto* parameter = dyn_cast<Argument>(into); parameter && summary)
        notePut(state, *parameter, entry, carrier(state, value));
    }

    void notePut(const State& state, const Argument& into, const Entry& entry,
                 const Value* from) const {
      unsigned i = into.getArgNo();
      if (i >= summary->puts.size() || (!entry.isOwned() && entry.holder == &into))
        return; // its own content again
      Summary::Put& put = summary->puts[i];
      auto* owner = dyn_cast_or_null<Argument>(firstHolder(state, entry));
      if (auto* source = dyn_cast_or_null<Argument>(from);
          source && source->getArgNo() < kMostParameters)
        put.these |= 1u << source->getArgNo();
      else if (auto* whole = contentOf(entry))
        put.contents |= 1u << whole->getArgNo();
      else if (entry.kind == Owned::No)
        put.other = true;
      else if (owner && owner->getArgNo() < kMostParameters)
        put.owned |= 1u << owner->getArgNo();
      else
        put.tied = true;
    }

    static const Argument* contentOf(const Entry& entry) {
      auto* parameter = dyn_cast_or_null<Argument>(entry.holder);
      return entry.of == Entry::Of::Content && parameter && parameter->getArgNo() < kMostParameters
                 ? parameter
                 : nullptr;
    }

    /// What is read from an owner that was itself read belongs to the first one's object.
    static const Value* firstHolder(const State& state, const Entry& entry) {
      const Value* holder = entry.isOwned() ? entry.holder : nullptr;
      for (;;) {
        auto next = state.values.find(holder);
        if (!holder || next == state.values.end() || !next->second.isOwned())
          return holder;
        holder = next->second.holder;
      }
    }

    void overwrite(State& state, const MemIntrinsic& memory) const {
      const Value* into = carrier(state, memory.getRawDest());
      change(state, into);
      auto* transfer = dyn_cast<MemTransferInst>(&memory);
      if (!transfer)
        return;
      const Value* from = carrier(state, transfer->getRawSource());
      auto known = state.carried.find(from);
      bool local = isa<AllocaInst>(from);
      if (local && known == state.carried.end())
        return; // nothing but owners
      Entry entry = local ? known->second : Entry{};
      if (isa<AllocaInst>(into))
        carry(state, into, entry);
      else if (auto* parameter = dyn_cast<Argument>(into); parameter && summary)
        notePut(state, *parameter, entry, from);
    }

    // --- calls

    void stepCall(State& state, const CallBase& call) const {
      int index = impl.graph.callIndex(body, call);
      if (call.hasStructRetAttr())
        if (auto* local = dyn_cast<AllocaInst>(call.getArgOperand(0)))
          state.carried.erase(local);
      if (index < 0) {
        state.values.erase(&call);
        return;
      }
      const CallOp& op = body.calls[index];
      State before = state;
      bool releases = op.model && isReleasing(op.model->effect);
      if (op.model && isWriting(op.model->effect)) {
        const Value* into = carrier(state, call.getArgOperand(op.model->a));
        change(state, into);
        putInto(state, into, {}, nullptr);
      }
      for (const CallEdge& edge : impl.graph.calls(id, index))
        if (auto found = impl.summaries.find(raw(edge.callee)); found != impl.summaries.end()) {
          apply(state, before, call, found->second);
          releases |= found->second.releases;
        }
      if (releases)
        release(state);
      set(state, call, resultOf(before, call, index));
    }

    void apply(State& state, const State& before, const CallBase& call, const Summary& done) const {
      if (done.changesOthers)
        changeOthers(state);
      unsigned count = std::min<unsigned>(
          {call.arg_size(), kMostParameters, static_cast<unsigned>(done.puts.size())});
      for (unsigned i = 0; i < count; ++i) {
        const Value* argument = call.getArgOperand(i);
        if (!argument->getType()->isPointerTy())
          continue;
        const Value* into = carrier(state, argument);
        if (done.changes & 1u << i)
          change(state, into);
        const Summary::Put& put = done.puts[i];
        if (put.other)
          putInto(state, into, {}, nullptr);
        if (put.tied)
          putInto(state, into, {Owned::Tied, nullptr}, nullptr);
        for (unsigned j = 0; j < count; ++j) {
          const Value* source = call.getArgOperand(j);
          if (put.these & 1u << j)
            putInto(state, into, entryOf(before, source), source);
          if (put.owned & 1u << j)
            putInto(state, into, readFrom(before, carrier(before, source), source), nullptr);
          if (put.contents & 1u << j)
            putInto(state, into, contentIn(before, carrier(before, source)), nullptr);
        }
      }
    }

    void putInto(State& state, const Value* into, const Entry& entry, const Value* from) const {
      if (isa<AllocaInst>(into))
        carry(state, into, entry.isOwned() ? entry : Entry{});
      else if (auto* parameter = dyn_cast<Argument>(into); parameter && summary)
        notePut(state, *parameter, entry, from ? carrier(state, from) : nullptr);
    }

    Entry resultOf(const State& before, const CallBase& call, uint32_t index) const {
      if (!call.getType()->isPointerTy())
        return {};
      const CallOp& op = body.calls[index];
      if (op.allocates || (op.model && returnsNew(op.model->effect)))
        return {Owned::Loose, nullptr}; // nobody else knows it yet
      std::optional<Entry> result;
      for (const CallEdge& edge : impl.graph.calls(id, index)) {
        auto found = impl.summaries.find(raw(edge.callee));
        Entry one = found == impl.summaries.end() ? Entry{} : returned(before, call, found->second);
        result = result ? meet(*result, one) : one;
      }
      return result.value_or(Entry{});
    }

    Entry returned(const State& before, const CallBase& call, const Summary& done) const {
      if (done.result == Summary::Result::No)
        return {};
      if (done.result == Summary::Result::Tied)
        return {Owned::Tied, nullptr};
      if (done.result == Summary::Result::Loose)
        return {Owned::Loose, nullptr};
      if (done.resultOf >= call.arg_size())
        return {};
      const Value* argument = call.getArgOperand(done.resultOf);
      const Value* holder = carrier(before, argument);
      if (done.result == Summary::Result::Owned)
        return readFrom(before, holder, argument);
      if (done.result == Summary::Result::Same) {
        Entry same = entryOf(before, argument);
        if (isa<Argument>(holder) && !same.isOwned())
          return {Owned::No, holder, Entry::Of::Itself};
        return done.releases && same.kind != Owned::Steady ? Entry{} : same;
      }
      return contentIn(before, holder);
    }

    /// What can be read in the holder's object outside of owners.
    static Entry contentIn(const State& state, const Value* holder) {
      if (auto known = state.carried.find(holder); known != state.carried.end())
        return known->second;
      return isa<Argument>(holder) ? Entry{Owned::No, holder, Entry::Of::Content} : Entry{};
    }

    /// The phis of the next block get their values.
    void edge(State& state, const State&, const BasicBlock& from, const BasicBlock& to) const {
      SmallVector<std::pair<const PHINode*, Entry>, 4> next;
      for (const PHINode& phi : to.phis()) {
        if (!phi.getType()->isPointerTy())
          continue;
        const Value* value = phi.getIncomingValueForBlock(&from);
        bool null = isa<ConstantPointerNull>(value); // leads nowhere
        next.push_back({&phi, null ? Entry{Owned::Steady, nullptr} : entryOf(state, value)});
      }
      for (const auto& [phi, entry] : next)
        set(state, *phi, entry);
    }

    bool merge(State& into, const State& from) const {
      bool changed = false;
      into.values.remove_if([&](const auto& each) {
        bool gone = from.values.find(each.first) == from.values.end();
        changed |= gone;
        return gone;
      });
      for (auto& [value, entry] : into.values)
        changed |= weaken(entry, from.values.find(value)->second);
      into.values.remove_if([](const auto& each) { return each.second.isNothing(); });
      for (const auto& [local, entry] : from.carried) {
        auto [known, isNew] = into.carried.insert({local, entry});
        changed |= isNew || weaken(known->second, entry);
      }
      return changed;
    }

    static bool weaken(Entry& entry, const Entry& other) {
      Entry both = meet(entry, other);
      bool changed = both != entry;
      entry = both;
      return changed;
    }
  };

  using InstanceFlow = Flow<State, Analysis>;

  static State entryState(const FunctionConstraints& body, const FreshParameters& entering) {
    State state;
    for (const Argument& argument : body.function->args()) {
      unsigned i = argument.getArgNo();
      if (i >= kMostParameters)
        break;
      // What nobody else knows yet stays so until something is released.
      Owned kind = entering.steady & 1u << i                     ? Owned::Steady
                   : (entering.loose | entering.fresh) & 1u << i ? Owned::Loose
                   : entering.tied & 1u << i                     ? Owned::Tied
                                                                 : Owned::No;
      if (kind != Owned::No)
        state.values[&argument] = {kind, nullptr};
    }
    return state;
  }

  // --- summaries

  void findSummaries() {
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
      if (!findSummary(id))
        continue;
      for (const CallEdge& edge : graph.callers(id))
        if (edge.kind == EdgeKind::Call && !queued[raw(edge.caller)]) {
          queued[raw(edge.caller)] = 1;
          queue.push_back(edge.caller);
        }
    }
    settled = queue.empty();
  }

  bool findSummary(InstanceId id) {
    const FunctionConstraints& body = *pointsTo.instance(id).body;
    Summary found;
    size_t count = std::min<size_t>(body.function->arg_size(), kMostParameters);
    found.puts.assign(count, {});
    Analysis analysis{*this, id, body, &found};
    InstanceFlow flow(*body.function, State{}, analysis);
    findResult(*body.function, analysis, flow, found);
    auto [entry, isNew] = summaries.try_emplace(raw(id), found);
    if (!isNew && entry->second == found)
      return false;
    entry->second = found;
    return true;
  }

  void findResult(const Function& function, const Analysis& analysis, const InstanceFlow& flow,
                  Summary& found) const {
    if (!function.getReturnType()->isPointerTy())
      return;
    std::optional<Entry> result;
    SmallPtrSet<const Value*, 2> carriers;
    for (const BasicBlock& block : function) {
      auto* end = dyn_cast<ReturnInst>(block.getTerminator());
      const State* start = flow.at(block);
      if (!end || !start)
        continue;
      State state = *start;
      for (const Instruction& instruction : block)
        analysis.step(state, instruction);
      Entry one = analysis.entryOf(state, end->getReturnValue());
      if (one.isOwned())
        one.holder = Analysis::firstHolder(state, one);
      carriers.insert(analysis.carrier(state, end->getReturnValue()));
      result = result ? meet(*result, one) : one;
    }
    auto* same = carriers.size() == 1 ? dyn_cast<Argument>(*carriers.begin()) : nullptr;
    if (same) {
      found.result = Summary::Result::Same;
      found.resultOf = same->getArgNo();
      return;
    }
    if (!result || result->isNothing())
      return;
    auto* parameter = dyn_cast_or_null<Argument>(result->holder);
    found.result = !result->isOwned()            ? Summary::Result::Content
                   : parameter                   ? Summary::Result::Owned
                   : result->kind == Owned::Tied ? Summary::Result::Tied
                                                 : Summary::Result::Loose;
    found.resultOf = parameter ? parameter->getArgNo() : 0;
  }

  /// Whether anything can be owned in the instance when no parameter is.
  bool isConcerned(InstanceId id) const {
    auto [known, isNew] = concerned.try_emplace(raw(id), false);
    if (isNew)
      known->second = findConcerned(id);
    return known->second;
  }

  bool findConcerned(InstanceId id) const {
    const Function& function = *pointsTo.instance(id).body->function;
    for (const Instruction& each : instructions(function)) {
      auto* load = dyn_cast<LoadInst>(&each);
      if (load && load->getType()->isPointerTy() &&
          (isOfFunctionManager(function) || isOwner(id, load->getPointerOperand(), true)))
        return true;
    }
    return any_of(graph.calls(id), [&](const CallEdge& edge) {
      auto found = summaries.find(raw(edge.callee));
      return edge.kind == EdgeKind::Call && found != summaries.end() &&
             ((found->second.result != Summary::Result::No &&
               found->second.result != Summary::Result::Content) ||
              any_of(found->second.puts,
                     [](const Summary::Put& put) { return put.tied || put.owned; }));
    });
  }

  class InstanceAnswers : public Answers {
  public:
    InstanceAnswers(const Impl& impl, InstanceId id, const FreshParameters& entering)
        : analysis_{impl, id, *impl.pointsTo.instance(id).body},
          flow_(*analysis_.body.function, entryState(analysis_.body, entering), analysis_) {}

    Owned of(const Instruction& at, const Value* address) override {
      const State* state = before(at);
      return state ? analysis_.entryOf(*state, address).kind : Owned::No;
    }

    void atCall(const CallBase& call, InstanceId callee, FreshParameters& parameters) override {
      const State* state = before(call);
      if (!state || state->values.empty())
        return;
      auto found = analysis_.impl.summaries.find(raw(callee));
      State during = *state;
      if (found != analysis_.impl.summaries.end())
        analysis_.apply(during, *state, call, found->second);
      unsigned count = std::min<unsigned>(call.arg_size(), kMostParameters);
      for (unsigned i = 0; i < count; ++i) {
        const Value* argument = call.getArgOperand(i);
        // What is fresh is loose anyway: fewer ways into a function are told apart.
        if (!argument->getType()->isPointerTy() || parameters.fresh & 1u << i ||
            !analysis_.impl.isShared(analysis_.id, argument))
          continue;
        Owned kind = analysis_.entryOf(during, argument).kind;
        parameters.tied |= static_cast<uint32_t>(kind >= Owned::Tied) << i;
        parameters.loose |= static_cast<uint32_t>(kind >= Owned::Loose) << i;
        parameters.steady |= static_cast<uint32_t>(kind >= Owned::Steady) << i;
      }
    }

  private:
    /// The state before an instruction; they are mostly asked for in their order.
    const State* before(const Instruction& at) {
      if (at.getParent() != block_ || !next_ || (next_ != &at && !next_->comesBefore(&at))) {
        block_ = at.getParent();
        const State* start = flow_.at(*block_);
        next_ = start ? &block_->front() : nullptr;
        state_ = start ? *start : State{};
      }
      if (!next_)
        return nullptr;
      for (; next_ != &at; next_ = next_->getNextNode())
        analysis_.step(state_, *next_);
      return &state_;
    }

    Analysis analysis_;
    InstanceFlow flow_;
    const BasicBlock* block_ = nullptr;
    const Instruction* next_ = nullptr; ///< the state is that before it; null: it is never reached
    State state_;
  };

  const CallGraph& graph;
  const PointsTo& pointsTo;
  const Escape& escape;
  Paths& paths;
  BitVector kept;
  bool settled = false; ///< the summaries are all that can happen
  DenseMap<uint32_t, Summary> summaries;
  mutable TypeLayouts layouts;
  mutable DenseMap<uint32_t, bool> owners;
  using Key = std::pair<uint32_t, const Value*>;         ///< an instance's value
  mutable DenseMap<Key, std::pair<bool, bool>> ownersAt; ///< some of its places are, all are
  mutable DenseMap<Key, bool> private_, aliased;
  mutable DenseMap<const Value*, const Value*> carriers;
  mutable DenseMap<uint32_t, bool> concerned;
};

Ownership::Ownership(const CallGraph& graph, const Escape& escape, Paths& paths)
    : impl_(std::make_unique<Impl>(graph, escape, paths)) {
  impl_->findKept();
  impl_->findSummaries();
}

Ownership::~Ownership() = default;

std::unique_ptr<Ownership::Answers> Ownership::of(InstanceId instance,
                                                  const FreshParameters& entering) const {
  if (!impl_->settled || !(entering.tied || impl_->isConcerned(instance)))
    return nullptr;
  return std::make_unique<Impl::InstanceAnswers>(*impl_, instance, entering);
}

} // namespace heddle::analysis
