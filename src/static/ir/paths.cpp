#include "static/ir/paths.h"

#include "static/ir/addresses.h"

#include "model/ids.h"

#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace heddle::analysis {
namespace {

constexpr unsigned kLongestPath = 24;

/// Whether equal calls have equal results as long as memory stays the same. A function without code
/// may count, draw or read.
bool isRepeatable(const Instruction& instruction) {
  auto* call = dyn_cast<CallBase>(&instruction);
  if (!call)
    return false;
  auto* callee = dyn_cast<Function>(call->getCalledOperand()->stripPointerCastsAndAliases());
  return isa<IntrinsicInst>(call) || call->onlyReadsMemory() || (callee && hasBody(*callee));
}

} // namespace

Paths::Paths(const DataLayout& layout) : layout_(layout) {
  nodes_.push_back({Kind::None, PathId::None, 0, nullptr});
}

PathId Paths::make(Kind kind, PathId parent, int64_t number, const Value* value) {
  std::pair<uint64_t, std::pair<int64_t, const Value*>> key{
      uint64_t{static_cast<uint32_t>(parent)} << 8 | static_cast<uint8_t>(kind), {number, value}};
  auto [found, isNew] = interned_.try_emplace(key, static_cast<PathId>(nodes_.size()));
  if (isNew)
    nodes_.push_back({kind, parent, number, value});
  return found->second;
}

PathId Paths::root(const Value* value) { return make(Kind::Root, PathId::None, 0, value); }

PathId Paths::offset(PathId path, int64_t bytes) {
  if (path == PathId::None)
    return path;
  Anchor at = anchor(path);
  int64_t sum = at.offset + bytes;
  return sum == 0 ? at.base : make(Kind::Offset, at.base, sum, nullptr);
}

PathId Paths::loaded(PathId path) {
  return path == PathId::None ? path : make(Kind::Load, path, 0, nullptr);
}

PathId Paths::index(PathId path, const Value* by, int64_t stride) {
  return path == PathId::None ? path : make(Kind::Index, path, stride, canonical(by));
}

/// One value for all that compute the same from the same: `i % n` twice, two loads of a variable,
/// two calls with equal arguments.
const Value* Paths::canonical(const Value* value) {
  while (isa<SExtInst>(value) || isa<ZExtInst>(value) || isa<TruncInst>(value))
    value = cast<CastInst>(value)->getOperand(0);
  auto* instruction = dyn_cast<Instruction>(value);
  if (!instruction)
    return value;
  uint64_t key = mix(instruction->getOpcode(), 0);
  auto add = [&](const void* part) { key = mix(key, reinterpret_cast<uintptr_t>(part)); };
  if (auto* load = dyn_cast<LoadInst>(instruction)) {
    PathId from = of(load->getPointerOperand());
    if (from == PathId::None)
      return value;
    key = mix(key, static_cast<uint32_t>(from));
  } else if (isa<BinaryOperator>(instruction) || isRepeatable(*instruction)) {
    for (const Value* operand : instruction->operands())
      add(operand->getType()->isPointerTy()
              ? reinterpret_cast<const void*>(static_cast<uintptr_t>(of(operand)))
              : static_cast<const void*>(canonical(operand)));
  } else {
    return value;
  }
  return computed_.try_emplace(key, value).first->second;
}

Paths::Anchor Paths::anchor(PathId path) const {
  const Node& last = node(path);
  return last.kind == Kind::Offset ? Anchor{last.parent, last.number} : Anchor{path, 0};
}

const Value* Paths::rootOf(PathId path) const {
  while (path != PathId::None && node(path).kind != Kind::Root)
    path = node(path).parent;
  return node(path).value;
}

bool Paths::hasLoad(PathId path) const {
  for (; path != PathId::None; path = node(path).parent)
    if (node(path).kind == Kind::Load)
      return true;
  return false;
}

bool Paths::mentions(PathId path, const Value* value) const {
  for (; path != PathId::None; path = node(path).parent)
    if (node(path).value == value)
      return true;
  return false;
}

PathId Paths::of(const Value* value) {
  auto found = known_.find(value);
  if (found != known_.end())
    return found->second;
  known_[value] = PathId::None; // for cycles, which go through phis
  PathId path = compute(value);
  known_[value] = path;
  return path;
}

PathId Paths::compute(const Value* value) {
  value = value->stripPointerCastsAndAliases();
  if (auto* gep = dyn_cast<GEPOperator>(value)) {
    PathId path = of(gep->getPointerOperand());
    for (auto it = gep_type_begin(gep), end = gep_type_end(gep); it != end; ++it) {
      auto* constant = dyn_cast<ConstantInt>(it.getOperand());
      if (StructType* structure = it.getStructTypeOrNull()) {
        path = offset(
            path, layout_.getStructLayout(structure)->getElementOffset(constant->getZExtValue()));
        continue;
      }
      auto size = static_cast<int64_t>(it.getSequentialElementStride(layout_).getFixedValue());
      path = constant ? offset(path, constant->getSExtValue() * size)
                      : index(path, it.getOperand(), size);
    }
    return path;
  }
  if (auto* load = dyn_cast<LoadInst>(value); load && load->getType()->isPointerTy()) {
    PathId from = of(load->getPointerOperand());
    PathId known = forwarded(*load, from);
    return known == PathId::None ? loaded(from) : known;
  }
  if (auto* call = dyn_cast<CallBase>(value)) {
    PathId path = ofCall(*call);
    return path == PathId::None ? root(value) : path;
  }
  return root(value);
}

PathId Paths::ofCall(const CallBase& call) {
  if (auto* intrinsic = dyn_cast<IntrinsicInst>(&call)) {
    switch (intrinsic->getIntrinsicID()) {
    case Intrinsic::launder_invariant_group:
    case Intrinsic::strip_invariant_group:
    case Intrinsic::threadlocal_address:
      return of(intrinsic->getArgOperand(0));
    default:
      return PathId::None;
    }
  }
  auto* callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
  if (!callee || !hasBody(*callee) || callee->arg_size() > call.arg_size() ||
      !callee->getReturnType()->isPointerTy())
    return PathId::None;
  return inCaller(returned(*callee), call);
}

void Paths::addStored(SmallVectorImpl<Stored>& all, PathId where, PathId what) const {
  for (Stored& each : all)
    if (each.where == where) {
      if (each.what != what)
        each.what = PathId::None;
      return;
    }
  all.push_back({where, what});
}

const SmallVector<Paths::Stored, 2>& Paths::stores(const Function& function) {
  auto [entry, isNew] = stores_.try_emplace(&function);
  if (!isNew)
    return entry->second; // empty while it is being found: recursion
  SmallVector<Stored, 2> all;
  for (const Instruction& instruction : instructions(function)) {
    if (auto* store = dyn_cast<StoreInst>(&instruction)) {
      if (!store->getValueOperand()->getType()->isPointerTy())
        continue;
      PathId where = of(store->getPointerOperand());
      if (isa_and_nonnull<Argument>(rootOf(where)))
        addStored(all, where, of(store->getValueOperand()));
      continue;
    }
    auto* call = dyn_cast<CallBase>(&instruction);
    const Function* callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || !hasBody(*callee) || callee->arg_size() > call->arg_size())
      continue;
    SmallVector<Stored, 2> inner = stores(*callee);
    for (const Stored& each : inner) {
      PathId where = inCaller(each.where, *call);
      if (isa_and_nonnull<Argument>(rootOf(where)))
        addStored(all, where, inCaller(each.what, *call));
    }
  }
  return stores_[&function] = std::move(all);
}

/// What a load reads when the function itself has put it there: a guard's mutex, a closure's
/// capture. Only where it is the one thing that is ever put there.
PathId Paths::forwarded(const LoadInst& load, PathId from) {
  const Value* root = rootOf(from);
  if (isa_and_nonnull<Argument>(root)) {
    for (const Instruction& instruction : *load.getParent()) {
      if (&instruction == &load)
        break;
      auto* store = dyn_cast<StoreInst>(&instruction);
      if (store && store->getValueOperand()->getType()->isPointerTy() &&
          of(store->getPointerOperand()) == from)
        return of(store->getValueOperand());
    }
    return PathId::None;
  }
  auto* local = dyn_cast_or_null<AllocaInst>(root);
  if (!local)
    return PathId::None;
  auto [entry, isNew] = storesInto_.try_emplace(local);
  if (isNew) {
    SmallVector<Stored, 2> all;
    for (const Instruction& instruction : instructions(*local->getFunction())) {
      if (auto* store = dyn_cast<StoreInst>(&instruction)) {
        if (store->getValueOperand()->getType()->isPointerTy())
          if (PathId where = of(store->getPointerOperand()); rootOf(where) == local)
            addStored(all, where, of(store->getValueOperand()));
        continue;
      }
      auto* call = dyn_cast<CallBase>(&instruction);
      const Function* callee = call ? call->getCalledFunction() : nullptr;
      if (!callee || !hasBody(*callee) || callee->arg_size() > call->arg_size())
        continue;
      SmallVector<Stored, 2> inner = stores(*callee);
      for (const Stored& each : inner)
        if (PathId where = inCaller(each.where, *call); rootOf(where) == local)
          addStored(all, where, inCaller(each.what, *call));
    }
    storesInto_[local] = std::move(all);
  }
  for (const Stored& each : storesInto_[local])
    if (each.where == from)
      return each.what;
  return PathId::None;
}

/// What a function returns, when all of its returns are the same path from a parameter: accessors,
/// operator[], smart pointers.
PathId Paths::returned(const Function& function) {
  auto found = returned_.find(&function);
  if (found != returned_.end())
    return found->second;
  returned_[&function] = PathId::None; // recursion has no path
  PathId path = PathId::None;
  for (const BasicBlock& block : function) {
    auto* end = dyn_cast<ReturnInst>(block.getTerminator());
    if (!end)
      continue;
    PathId one = of(end->getReturnValue());
    if (!isa_and_nonnull<Argument>(rootOf(one)) || (path != PathId::None && path != one))
      return PathId::None;
    path = one;
  }
  return returned_[&function] = path;
}

PathId Paths::inCaller(PathId path, const CallBase& call) {
  auto* argument = dyn_cast_or_null<Argument>(rootOf(path));
  if (!argument || argument->getArgNo() >= call.arg_size())
    return PathId::None;
  unsigned depth = 0;
  for (PathId each = path; each != PathId::None; each = node(each).parent)
    ++depth;
  if (depth > kLongestPath)
    return PathId::None;
  // Rebuilt from the root; an index by a parameter becomes one by the argument.
  SmallVector<PathId, 8> steps;
  for (PathId each = path; node(each).kind != Kind::Root; each = node(each).parent)
    steps.push_back(each);
  PathId result = of(call.getArgOperand(argument->getArgNo()));
  while (!steps.empty() && result != PathId::None) {
    Node step = node(steps.pop_back_val());
    if (step.kind == Kind::Offset)
      result = offset(result, step.number);
    else if (step.kind == Kind::Load)
      result = loaded(result);
    else {
      auto* parameter = dyn_cast<Argument>(step.value);
      const Value* by = parameter && parameter->getArgNo() < call.arg_size()
                            ? call.getArgOperand(parameter->getArgNo())
                            : step.value;
      if (auto* constant = dyn_cast<ConstantInt>(by))
        result = offset(result, constant->getSExtValue() * step.number);
      else
        result = index(result, by, step.number);
    }
  }
  return result;
}

PathId Paths::replaced(PathId path, PathId from, PathId to) {
  if (path == PathId::None || from == PathId::None)
    return PathId::None;
  Anchor start = anchor(from);
  SmallVector<Node, 8> steps; // of the path after the place where the two part
  for (PathId each = path; each != PathId::None;) {
    Anchor at = anchor(each);
    if (at.base == start.base) {
      PathId result = offset(to, at.offset - start.offset);
      while (!steps.empty()) {
        Node step = steps.pop_back_val();
        result = step.kind == Kind::Offset ? offset(result, step.number)
                 : step.kind == Kind::Load ? loaded(result)
                                           : index(result, step.value, step.number);
      }
      return result;
    }
    if (node(at.base).kind == Kind::Root)
      return PathId::None;
    if (at.offset)
      steps.push_back(node(each));
    steps.push_back(node(at.base));
    each = node(at.base).parent;
  }
  return PathId::None;
}

Paths::Relation Paths::relation(PathId lock, PathId data) {
  if (lock == PathId::None || data == PathId::None)
    return {};
  // The steps from the innermost common object to both.
  SmallVector<Node, 8> toData;
  for (PathId d = data; d != PathId::None;) {
    Anchor dataAt = anchor(d);
    SmallVector<Node, 8> toLock;
    for (PathId l = lock; l != PathId::None;) {
      Anchor lockAt = anchor(l);
      if (lockAt.base == dataAt.base) {
        uint64_t key = mix(1, static_cast<uint64_t>(lockAt.offset - dataAt.offset));
        SmallVector<const Value*, 4> indices; // the same index is the same number on both sides
        auto add = [&](const Node& step) {
          key = mix(key, static_cast<uint64_t>(step.kind));
          key = mix(key, static_cast<uint64_t>(step.number));
          if (step.kind != Kind::Index)
            return;
          auto found = find(indices, step.value);
          key = mix(key, static_cast<uint64_t>(found - indices.begin()));
          if (found == indices.end())
            indices.push_back(step.value);
        };
        for (const Node& step : reverse(toData))
          add(step);
        key = mix(key, 77);
        size_t known = indices.size();
        for (const Node& step : reverse(toLock))
          add(step);
        if (indices.size() > known)
          return {}; // which of several locks it is does not follow from the data's address
        return {key | 1, toData.empty()};
      }
      if (node(lockAt.base).kind == Kind::Root)
        break;
      if (lockAt.offset)
        toLock.push_back(node(l));
      toLock.push_back(node(lockAt.base));
      l = node(lockAt.base).parent;
    }
    if (node(dataAt.base).kind == Kind::Root)
      return {};
    if (dataAt.offset)
      toData.push_back(node(d));
    toData.push_back(node(dataAt.base));
    d = node(dataAt.base).parent;
  }
  return {};
}

} // namespace heddle::analysis
