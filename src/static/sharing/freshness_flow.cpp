#include "static/sharing/freshness_flow.h"

#include "static/ir/object_types.h"
#include "static/sharing/owner_counts.h"

#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace heddle::analysis {

const AllocaInst* madeBy(const CallBase& call) {
  const Function* callee = call.getCalledFunction();
  if (call.arg_size() == 0)
    return nullptr;
  bool makes = call.hasStructRetAttr() || (callee && constructedClass(*callee));
  return makes ? dyn_cast<AllocaInst>(call.getArgOperand(0)) : nullptr;
}

bool FreshnessContext::holdsAddresses(ObjectId object) const {
  auto [entry, isNew] = holding.try_emplace(raw(object), false);
  if (isNew)
    entry->second = any_of(graph.pointsTo().object(object).locations, [&](LocationId each) {
      return any_of(graph.pointsTo().contents(each), [&](uint32_t content) {
        ObjectKind kind = graph.pointsTo().objectOf(static_cast<LocationId>(content)).kind;
        return kind != ObjectKind::Iteration && kind != ObjectKind::Function;
      });
    });
  return entry->second;
}

const Value* FreshnessFlow::rootOf(const Value* value) const {
  const Value* root = context.paths.rootOf(context.paths.of(value));
  if (!isa_and_nonnull<PHINode>(root))
    return root;
  SmallPtrSet<const Value*, 8> seen{root};
  SmallVector<const Value*, 4> open{root};
  const Value* start = nullptr;
  while (!open.empty())
    for (const Value* incoming : cast<PHINode>(open.pop_back_val())->incoming_values()) {
      const Value* each = context.paths.rootOf(context.paths.of(incoming));
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

void FreshnessFlow::publish(FreshnessState& state, const Value* root) {
  auto found = state.find(root);
  if (found == state.end())
    return;
  SmallVector<const Value*, 2> holds = found->second.holds;
  state.erase(root);
  for (const Value* each : holds)
    publish(state, each);
}

bool FreshnessFlow::isShared(const Value* address) const {
  return any_of(context.graph.pointsTo().pointees(id, address), [&](uint32_t location) {
    return context.escape.escapes(
        context.graph.pointsTo().location(static_cast<LocationId>(location)).object);
  });
}

void FreshnessFlow::store(FreshnessState& state, const Value* target, const Value* value) const {
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

bool FreshnessFlow::leadsNowhere(const Value* value) {
  auto* constant = dyn_cast<Constant>(value);
  if (!constant)
    return false;
  auto* variable = dyn_cast<GlobalVariable>(constant->stripInBoundsOffsets());
  return isa<ConstantPointerNull>(constant) || isa<UndefValue>(constant) ||
         isa<Function>(constant) ||
         (variable && (isVtable(*variable) || isPlainConstant(*variable)));
}

bool FreshnessFlow::isPlainConstant(const GlobalVariable& variable) {
  if (!variable.isConstant() || !variable.hasInitializer())
    return false;
  SmallVector<ConstantAddress, 1> addresses;
  collectAddresses(*variable.getInitializer(), variable.getDataLayout(), addresses);
  return addresses.empty();
}

bool FreshnessFlow::holdsAddresses(const Value* address) const {
  return any_of(context.graph.pointsTo().pointees(id, address), [&](uint32_t location) {
    return context.holdsAddresses(
        context.graph.pointsTo().location(static_cast<LocationId>(location)).object);
  });
}

void FreshnessFlow::noteStore(const FreshnessState& state, const Value* into, const Value* from,
                              const Value* value) const {
  auto* parameter = dyn_cast_or_null<Argument>(into);
  if (!summary || !parameter || parameter->getArgNo() >= summary->from.size())
    return;
  summary->from[parameter->getArgNo()] |=
      sourcesOf(state, from, !value || isShared(value), parameter);
}

uint32_t FreshnessFlow::sourcesOf(const FreshnessState& state, const Value* from, bool foreign,
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
    if (source && source->getArgNo() < kMaxFreshParameters) {
      sources |= 1u << source->getArgNo();
      continue;
    }
    auto fresh = state.find(each);
    if (fresh == state.end()) {
      if (foreign)
        sources |= kUnknownSource;
      continue;
    }
    if (!fresh->second.pure)
      sources |= kUnknownSource;
    for (const Value* held : fresh->second.holds)
      if (known.insert(held).second)
        open.push_back(held);
  }
  return sources;
}

bool FreshnessFlow::isAllocation(const Value* value) const {
  auto* call = dyn_cast_or_null<CallBase>(value);
  int index = call ? context.graph.callIndex(body, *call) : -1;
  if (index < 0)
    return false;
  const CallOp& op = body.calls[index];
  if (op.model)
    return returnsNew(op.model->effect);
  if (op.allocates)
    return true;
  auto edges = context.graph.calls(id, index);
  return !edges.empty() && all_of(edges, [&](const CallEdge& edge) {
    auto found = context.summaries.find(raw(edge.callee));
    return found != context.summaries.end() && found->second.returnsFresh;
  });
}

void FreshnessFlow::step(FreshnessState& state, const Instruction& instruction) const {
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

void FreshnessFlow::copy(FreshnessState& state, const Value* target, const Value* source) const {
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

void FreshnessFlow::stepCall(FreshnessState& state, const CallBase& call) const {
  if (const AllocaInst* made = madeBy(call))
    state[made] = {};
  int index = context.graph.callIndex(body, call);
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
  auto edges = context.graph.calls(id, index);
  for (const CallEdge& edge : edges)
    if (auto found = context.summaries.find(raw(edge.callee)); found != context.summaries.end())
      apply(state, call, found->second);
  if (call.getType()->isPointerTy() && rootOf(&call) == &call && isAllocation(&call)) {
    state[&call] = {};
    for (const CallEdge& edge : edges)
      if (auto found = context.summaries.find(raw(edge.callee)); found != context.summaries.end())
        fillResult(state, call, found->second.inResult);
  }
}

void FreshnessFlow::fillResult(FreshnessState& state, const CallBase& call,
                               uint32_t sources) const {
  bool pure = !(sources & kUnknownSource);
  SmallVector<const Value*, 2> holds;
  for (unsigned i = 0; i < call.arg_size() && i < kMaxFreshParameters; ++i) {
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
  FreshRoot& made = state[&call];
  made.pure &= pure;
  for (const Value* each : holds)
    if (!is_contained(made.holds, each))
      made.holds.push_back(each);
}

void FreshnessFlow::stepModel(FreshnessState& state, const CallOp& op) const {
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
    if (auto found = state.find(rootOf(call.getArgOperand(op.model->a))); found != state.end()) {
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

void FreshnessFlow::apply(FreshnessState& state, const CallBase& call,
                          const FreshnessSummary& done) const {
  unsigned count = std::min<unsigned>(call.arg_size(), done.from.size());
  for (unsigned i = 0; i < count; ++i) {
    uint32_t from = done.from[i];
    if (!from || !call.getArgOperand(i)->getType()->isPointerTy())
      continue;
    for (unsigned j = 0; j < count; ++j)
      if (from & 1u << j && call.getArgOperand(j)->getType()->isPointerTy())
        store(state, call.getArgOperand(i), call.getArgOperand(j));
    if (from & kUnknownSource) {
      const Value* root = rootOf(call.getArgOperand(i));
      noteStore(state, root, nullptr, nullptr);
      if (auto found = state.find(root); found != state.end())
        found->second.pure = false;
    }
  }
  for (unsigned i = 0; i < count && i < kMaxFreshParameters; ++i)
    if (done.published & 1u << i && call.getArgOperand(i)->getType()->isPointerTy())
      publish(state, rootOf(call.getArgOperand(i)));
}

void FreshnessFlow::edge(FreshnessState& state, const FreshnessState&, const BasicBlock& from,
                         const BasicBlock& to) const {
  const Value* count = countAtEnd(from, to);
  PathId path = count ? context.paths.of(count) : PathId::None;
  if (path == PathId::None || context.paths.hasLoad(path))
    return;
  FreshRoot& root = state[context.paths.rootOf(path)];
  root.pure = false;
  root.last = true;
}

bool FreshnessFlow::merge(FreshnessState& into, const FreshnessState& from) const {
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

} // namespace heddle::analysis
