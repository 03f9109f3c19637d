#include "static/ir/moved_from.h"

#include "static/ir/addresses.h"
#include "static/ir/flow.h"
#include "static/ir/object_types.h"
#include "static/ir/standard_library.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace heddle::analysis {
namespace {

constexpr unsigned kMaxDepth = 8;   ///< of destructors of members of members
constexpr unsigned kMaxCalls = 100; ///< functions that call each other; below nothing is moved

/// A template's name without its arguments.
StringRef templateName(const DIType* type) {
  auto* composite = dyn_cast_or_null<DICompositeType>(type);
  return composite ? composite->getName().take_until([](char each) { return each == '<'; }) : "";
}

/// The parameter that the function moves from; -1: none. These are `release`, and constructors and
/// assignments that take an rvalue of their class, or of another instance of its template.
int movedParameter(const Function& function) {
  StringRef name = function.getName();
  const DISubprogram* subprogram = function.getSubprogram();
  if (!isOwnerMember(name) || !subprogram)
    return -1;
  if (isUniquePointerRelease(name))
    return 0;
  DITypeRefArray types = subprogram->getType()->getTypeArray(); // result, this, parameters
  if (function.arg_size() != 2 || types.size() != 3)
    return -1;
  auto* parameter = dyn_cast_or_null<DIDerivedType>(types[2]);
  if (!parameter || parameter->getTag() != dwarf::DW_TAG_rvalue_reference_type)
    return -1;
  StringRef owner = templateName(dyn_cast_or_null<DIType>(subprogram->getScope()));
  bool moves = subprogram->getName() == "operator=" ||
               subprogram->getName().take_until([](char each) { return each == '<'; }) == owner;
  return moves && !owner.empty() && templateName(strippedType(parameter->getBaseType())) == owner
             ? 1
             : -1;
}

/// Whether the call empties a std::unique_ptr by giving up what it owns.
bool isReset(const CallBase& call) {
  const Function* callee = call.getCalledFunction();
  return callee && isUniquePointerMember(callee->getName()) && callee->getSubprogram() &&
         callee->getSubprogram()->getName() == "reset" && call.arg_size() == 2 &&
         isa<ConstantPointerNull>(call.getArgOperand(1));
}

/// Whether the call destroys what its first argument owns.
bool isDestruction(const CallBase& call) {
  const Function* callee = call.getCalledFunction();
  return callee && call.arg_size() > 0 && (isObjectDestructor(callee->getName()) || isReset(call));
}

} // namespace

struct MovedFrom::Analysis {
  MovedFrom& owner;

  void step(State& state, const Instruction& instruction) { owner.step(state, instruction); }

  /// What a call that throws had moved from is not known.
  void edge(State& out, const State& before, const BasicBlock& from, const BasicBlock& to) {
    if (auto* invoke = dyn_cast<InvokeInst>(from.getTerminator());
        invoke && &to == invoke->getUnwindDest() && &to != invoke->getNormalDest()) {
      State kept;
      for (const Part& part : before)
        if (is_contained(out, part))
          kept.push_back(part);
      out = kept;
    }
  }

  bool merge(State& into, const State& from) {
    size_t size = into.size();
    erase_if(into, [&](const Part& part) { return !is_contained(from, part); });
    return into.size() != size;
  }
};

MovedFrom::Part MovedFrom::partOf(const Value* address) const {
  APInt bytes(64, 0);
  if (!address->getType()->isPointerTy())
    return {nullptr, 0};
  const Value* root = address->stripAndAccumulateConstantOffsets(layout_, bytes,
                                                                 /*AllowNonInbounds=*/true);
  return {root, bytes.getSExtValue()};
}

/// Whether everything that happens to a parameter or variable is seen here: its address is kept
/// nowhere.
bool MovedFrom::isTracked(const Value* root) {
  if (!root || (!isa<AllocaInst>(root) && !isa<Argument>(root)))
    return false;
  auto [entry, isNew] = tracked_.try_emplace(root, true);
  if (!isNew)
    return entry->second;
  SmallVector<const Value*, 8> open{root};
  bool tracked = true;
  while (!open.empty() && tracked)
    for (const User* user : open.pop_back_val()->users()) {
      if (isa<GEPOperator>(user))
        open.push_back(user);
      auto* store = dyn_cast<StoreInst>(user);
      bool kept = store && partOf(store->getValueOperand()).root == root;
      tracked &= !kept && !isa<PHINode>(user) && !isa<SelectInst>(user) && !isa<PtrToIntInst>(user);
    }
  return tracked_[root] = tracked;
}

void MovedFrom::step(State& state, const Instruction& instruction) {
  if (auto* store = dyn_cast<StoreInst>(&instruction)) {
    Part part = partOf(store->getPointerOperand());
    erase_if(state, [&](const Part& each) { return each == part; });
    return;
  }
  if (auto* call = dyn_cast<CallBase>(&instruction))
    stepCall(state, *call);
}

void MovedFrom::stepCall(State& state, const CallBase& call) {
  if (isa<DbgInfoIntrinsic>(call))
    return;
  auto* callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
  int moved = isReset(call) ? 0 : callee ? movedParameter(*callee) : -1;
  const Summary* summary = callee && hasBody(*callee) && moved < 0 && !callee->isIntrinsic()
                               ? &summaryOf(*callee)
                               : nullptr;
  // Whatever gets the address may fill it again; what it gets is no larger than it says.
  for (const Use& argument : call.args()) {
    Part part = partOf(argument);
    if (!isTracked(part.root))
      continue;
    int64_t size = call.getParamDereferenceableBytes(call.getArgOperandNo(&argument));
    erase_if(state, [&](const Part& each) {
      return each.root == part.root &&
             (size == 0 || (each.offset >= part.offset && each.offset < part.offset + size));
    });
  }
  for (const Use& argument : call.args()) {
    Part part = partOf(argument);
    unsigned number = call.getArgOperandNo(&argument);
    if (!isTracked(part.root))
      continue;
    if (static_cast<int>(number) == moved)
      state.push_back(part);
    if (summary && number < summary->size())
      for (int64_t offset : (*summary)[number])
        state.push_back({part.root, part.offset + offset});
  }
}

const MovedFrom::Summary& MovedFrom::summaryOf(const Function& function) {
  auto found = summaries_.find(&function);
  if (found != summaries_.end())
    return found->second;
  Summary& summary = summaries_[&function];
  summary.resize(function.arg_size()); // for calls of itself: nothing is moved
  if (depth_ < kMaxCalls) {
    ++depth_;
    analyse(function);
    --depth_;
  }
  return summary;
}

void MovedFrom::analyse(const Function& function) {
  analysed_.insert(&function);
  Analysis analysis{*this};
  Flow<State, Analysis> flow(function, {}, analysis);
  std::optional<State> atEnd;
  flow.each([&](const State& state, const Instruction& at) {
    if (isa<ReturnInst>(at)) {
      if (atEnd)
        analysis.merge(*atEnd, state);
      else
        atEnd = state;
    }
    auto* call = dyn_cast<CallBase>(&at);
    if (!call || !isDestruction(*call))
      return;
    Part part = partOf(call->getArgOperand(0));
    Offsets empty;
    for (const Part& each : state)
      if (each.root == part.root)
        empty.push_back(each.offset - part.offset);
    if (!empty.empty() && destroysNothing(*call->getCalledFunction(), empty, 0))
      void_.insert(call);
  });
  Summary& summary = summaries_[&function];
  summary.resize(function.arg_size());
  if (atEnd)
    for (const Part& part : *atEnd)
      if (auto* parameter = dyn_cast<Argument>(part.root))
        if (!is_contained(summary[parameter->getArgNo()], part.offset))
          summary[parameter->getArgNo()].push_back(part.offset);
}

/// Whether the destructor of an object with these empty parts comes to nothing: it only destroys
/// parts, all of them empty.
bool MovedFrom::destroysNothing(const Function& destructor, const Offsets& empty, unsigned depth) {
  if (isOwnerMember(destructor.getName()))
    return is_contained(empty, 0);
  if (!hasBody(destructor) || depth > kMaxDepth)
    return false;
  for (const BasicBlock& block : destructor)
    for (const Instruction& at : block) {
      auto* call = dyn_cast<CallBase>(&at);
      if (!call || isa<IntrinsicInst>(call))
        continue;
      const Function* callee = call->getCalledFunction();
      Part part = call->arg_size() ? partOf(call->getArgOperand(0)) : Part{nullptr, 0};
      if (!callee || part.root != destructor.getArg(0) || !isObjectDestructor(callee->getName()))
        return false;
      Offsets inside;
      for (int64_t offset : empty)
        inside.push_back(offset - part.offset);
      if (!destroysNothing(*callee, inside, depth + 1))
        return false;
    }
  return true;
}

bool MovedFrom::isVoid(const CallBase& call) {
  if (!isDestruction(call))
    return false;
  if (analysed_.insert(call.getFunction()).second)
    analyse(*call.getFunction());
  return void_.contains(&call);
}

} // namespace heddle::analysis
