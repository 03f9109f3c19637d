#include "static/sharing/ownership_flow.h"

#include "static/ir/standard_library.h"

using namespace llvm;

namespace heddle::analysis {
namespace {

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

OwnedValue meet(const OwnedValue& one, const OwnedValue& other) {
  if (one == other)
    return one;
  if (!one.isOwned() || !other.isOwned())
    return {};
  bool same = one.holder == other.holder;
  Owned kind = std::min(one.kind, other.kind);
  return {same ? kind : std::min(kind, Owned::Loose), same ? one.holder : nullptr};
}

/// Counts of owners order nothing that is not owned: see isOwnerCount of the
/// pairs.
bool OwnershipFlow::isCounting() const { return isOwnerCount(body.function->getName()); }

const Value* OwnershipFlow::carrier(const OwnershipState& state, const Value* value) const {
  const Value* found = owners.carrier(value);
  auto known = state.values.find(found);
  bool same = known != state.values.end() && known->second.of == OwnedValue::Of::Itself;
  return same ? known->second.holder : found;
}

OwnedValue OwnershipFlow::entryOf(const OwnershipState& state, const Value* value) const {
  auto found = state.values.find(carrier(state, value));
  return found == state.values.end() ? OwnedValue{} : found->second;
}

OwnedValue OwnershipFlow::readFrom(const OwnershipState& state, const Value* holder,
                                   const Value* address) const {
  auto found = state.values.find(holder);
  Owned kind = Owned::Tied;
  if (found != state.values.end() && found->second.kind != Owned::No)
    kind = found->second.kind;
  else if (owners.isPrivate(id, address) && !owners.isAliased(id, holder))
    kind = Owned::Steady;
  return {kind, holder};
}

void OwnershipFlow::set(OwnershipState& state, const Value& value, const OwnedValue& entry) {
  if (entry.isNothing())
    state.values.erase(&value);
  else
    state.values[&value] = entry;
}

void OwnershipFlow::change(OwnershipState& state, const Value* holder) const {
  auto* parameter = dyn_cast<Argument>(holder);
  if (summary && parameter && parameter->getArgNo() < kMaxOwnedParameters)
    summary->changes |= 1u << parameter->getArgNo();
  else if (summary && !isa<AllocaInst>(holder))
    summary->changesOthers = true;
  loosen(state,
         [&](const Value& other) { return &other == holder || owners.meetIn(id, other, *holder); });
}

void OwnershipFlow::changeOthers(OwnershipState& state) const {
  if (summary)
    summary->changesOthers = true;
  loosen(state, [&](const Value& other) { return !owners.isPrivate(id, &other); });
}

void OwnershipFlow::loosen(OwnershipState& state,
                           function_ref<bool(const Value&)> isChanged) const {
  SmallPtrSet<const Value*, 8> changed;
  auto concerns = [&](const OwnedValue& entry) {
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

void OwnershipFlow::release(OwnershipState& state) const {
  if (counting)
    return;
  if (summary)
    summary->releases = true;
  state.values.remove_if(
      [](const auto& each) { return each.second.isOwned() && each.second.kind != Owned::Steady; });
  for (auto& [local, entry] : state.carried)
    if (entry.kind != Owned::Steady)
      entry = {};
}

void OwnershipFlow::carry(OwnershipState& state, const Value* local,
                          const OwnedValue& entry) const {
  auto [known, isNew] = state.carried.insert({local, entry});
  if (!isNew)
    known->second = meet(known->second, entry);
}

void OwnershipFlow::step(OwnershipState& state, const Instruction& instruction) const {
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

bool OwnershipFlow::mayBeAddress(const Value* value) const {
  return value->getType()->isPointerTy() ||
         (value->getType()->isIntegerTy(64) && !graph.pointsTo().pointees(id, value).empty());
}

void OwnershipFlow::stepLoad(OwnershipState& state, const LoadInst& load) const {
  const Value* address = load.getPointerOperand();
  const Value* holder = carrier(state, address);
  if (isFunctionStorage(body.function->getName()) || owners.isOwner(id, address, /*all=*/true)) {
    set(state, load, readFrom(state, holder, address));
    return;
  }
  set(state, load, contentIn(state, holder));
}

void OwnershipFlow::put(OwnershipState& state, const Value* address, const Value* value) const {
  const Value* into = carrier(state, address);
  if (owners.isOwner(id, address, /*all=*/false))
    change(state, into);
  if (owners.isOwner(id, address, /*all=*/true) || isa<Constant>(value))
    return;
  OwnedValue entry = entryOf(state, value);
  if (isa<AllocaInst>(into))
    carry(state, into, entry.isOwned() ? entry : OwnedValue{});
  else if (auto* parameter = dyn_cast<Argument>(into); parameter && summary)
    notePut(state, *parameter, entry, carrier(state, value));
}

void OwnershipFlow::notePut(const OwnershipState& state, const Argument& into,
                            const OwnedValue& entry, const Value* from) const {
  unsigned i = into.getArgNo();
  if (i >= summary->puts.size() || (!entry.isOwned() && entry.holder == &into))
    return; // its own content again
  OwnershipSummary::Put& put = summary->puts[i];
  auto* owner = dyn_cast_or_null<Argument>(firstHolder(state, entry));
  if (auto* source = dyn_cast_or_null<Argument>(from);
      source && source->getArgNo() < kMaxOwnedParameters)
    put.these |= 1u << source->getArgNo();
  else if (auto* whole = contentOf(entry))
    put.contents |= 1u << whole->getArgNo();
  else if (entry.kind == Owned::No)
    put.other = true;
  else if (owner && owner->getArgNo() < kMaxOwnedParameters)
    put.owned |= 1u << owner->getArgNo();
  else
    put.tied = true;
}

const Argument* OwnershipFlow::contentOf(const OwnedValue& entry) {
  auto* parameter = dyn_cast_or_null<Argument>(entry.holder);
  return entry.of == OwnedValue::Of::Content && parameter &&
                 parameter->getArgNo() < kMaxOwnedParameters
             ? parameter
             : nullptr;
}

const Value* OwnershipFlow::firstHolder(const OwnershipState& state, const OwnedValue& entry) {
  const Value* holder = entry.isOwned() ? entry.holder : nullptr;
  for (;;) {
    auto next = state.values.find(holder);
    if (!holder || next == state.values.end() || !next->second.isOwned())
      return holder;
    holder = next->second.holder;
  }
}

void OwnershipFlow::overwrite(OwnershipState& state, const MemIntrinsic& memory) const {
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
  OwnedValue entry = local ? known->second : OwnedValue{};
  if (isa<AllocaInst>(into))
    carry(state, into, entry);
  else if (auto* parameter = dyn_cast<Argument>(into); parameter && summary)
    notePut(state, *parameter, entry, from);
}

void OwnershipFlow::stepCall(OwnershipState& state, const CallBase& call) const {
  int index = graph.callIndex(body, call);
  if (call.hasStructRetAttr())
    if (auto* local = dyn_cast<AllocaInst>(call.getArgOperand(0)))
      state.carried.erase(local);
  if (index < 0) {
    state.values.erase(&call);
    return;
  }
  const CallOp& op = body.calls[index];
  OwnershipState before = state;
  bool releases = op.model && isReleasing(op.model->effect);
  if (op.model && isWriting(op.model->effect)) {
    const Value* into = carrier(state, call.getArgOperand(op.model->a));
    change(state, into);
    putInto(state, into, {}, nullptr);
  }
  for (const CallEdge& edge : graph.calls(id, index))
    if (auto found = summaries.find(raw(edge.callee)); found != summaries.end()) {
      apply(state, before, call, found->second);
      releases |= found->second.releases;
    }
  if (releases)
    release(state);
  set(state, call, resultOf(before, call, index));
}

void OwnershipFlow::apply(OwnershipState& state, const OwnershipState& before, const CallBase& call,
                          const OwnershipSummary& done) const {
  if (done.changesOthers)
    changeOthers(state);
  unsigned count = std::min<unsigned>(
      {call.arg_size(), kMaxOwnedParameters, static_cast<unsigned>(done.puts.size())});
  for (unsigned i = 0; i < count; ++i) {
    const Value* argument = call.getArgOperand(i);
    if (!argument->getType()->isPointerTy())
      continue;
    const Value* into = carrier(state, argument);
    if (done.changes & 1u << i)
      change(state, into);
    const OwnershipSummary::Put& put = done.puts[i];
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

void OwnershipFlow::putInto(OwnershipState& state, const Value* into, const OwnedValue& entry,
                            const Value* from) const {
  if (isa<AllocaInst>(into))
    carry(state, into, entry.isOwned() ? entry : OwnedValue{});
  else if (auto* parameter = dyn_cast<Argument>(into); parameter && summary)
    notePut(state, *parameter, entry, from ? carrier(state, from) : nullptr);
}

OwnedValue OwnershipFlow::resultOf(const OwnershipState& before, const CallBase& call,
                                   uint32_t index) const {
  if (!call.getType()->isPointerTy())
    return {};
  const CallOp& op = body.calls[index];
  if (op.allocates || (op.model && returnsNew(op.model->effect)))
    return {Owned::Loose, nullptr}; // nobody else knows it yet
  std::optional<OwnedValue> result;
  for (const CallEdge& edge : graph.calls(id, index)) {
    auto found = summaries.find(raw(edge.callee));
    OwnedValue one =
        found == summaries.end() ? OwnedValue{} : returned(before, call, found->second);
    result = result ? meet(*result, one) : one;
  }
  return result.value_or(OwnedValue{});
}

OwnedValue OwnershipFlow::returned(const OwnershipState& before, const CallBase& call,
                                   const OwnershipSummary& done) const {
  if (done.result == OwnershipSummary::Result::No)
    return {};
  if (done.result == OwnershipSummary::Result::Tied)
    return {Owned::Tied, nullptr};
  if (done.result == OwnershipSummary::Result::Loose)
    return {Owned::Loose, nullptr};
  if (done.resultOf >= call.arg_size())
    return {};
  const Value* argument = call.getArgOperand(done.resultOf);
  const Value* holder = carrier(before, argument);
  if (done.result == OwnershipSummary::Result::Owned)
    return readFrom(before, holder, argument);
  if (done.result == OwnershipSummary::Result::Same) {
    OwnedValue same = entryOf(before, argument);
    if (isa<Argument>(holder) && !same.isOwned())
      return {Owned::No, holder, OwnedValue::Of::Itself};
    return done.releases && same.kind != Owned::Steady ? OwnedValue{} : same;
  }
  return contentIn(before, holder);
}

OwnedValue OwnershipFlow::contentIn(const OwnershipState& state, const Value* holder) {
  if (auto known = state.carried.find(holder); known != state.carried.end())
    return known->second;
  return isa<Argument>(holder) ? OwnedValue{Owned::No, holder, OwnedValue::Of::Content}
                               : OwnedValue{};
}

void OwnershipFlow::edge(OwnershipState& state, const OwnershipState&, const BasicBlock& from,
                         const BasicBlock& to) const {
  SmallVector<std::pair<const PHINode*, OwnedValue>, 4> next;
  for (const PHINode& phi : to.phis()) {
    if (!phi.getType()->isPointerTy())
      continue;
    const Value* value = phi.getIncomingValueForBlock(&from);
    bool null = isa<ConstantPointerNull>(value); // leads nowhere
    next.push_back({&phi, null ? OwnedValue{Owned::Steady, nullptr} : entryOf(state, value)});
  }
  for (const auto& [phi, entry] : next)
    set(state, *phi, entry);
}

bool OwnershipFlow::merge(OwnershipState& into, const OwnershipState& from) const {
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

bool OwnershipFlow::weaken(OwnedValue& entry, const OwnedValue& other) {
  OwnedValue both = meet(entry, other);
  bool changed = both != entry;
  entry = both;
  return changed;
}

} // namespace heddle::analysis
