#include "static/sharing/local_sites.h"

#include "static/ir/address_uses.h"
#include "static/sharing/checked_sets.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include <algorithm>
#include <numeric>

using namespace llvm;

namespace heddle::analysis {
namespace {

constexpr int64_t kAddressBytes = 8;

/// Whether other threads may know the object from the start.
bool isPublic(const Object& object, const Outsiders& outsiders) {
  // A coroutine's variables go with it from thread to thread.
  if (object.kind == ObjectKind::Local)
    return cast<AllocaInst>(object.site)->getFunction()->isPresplitCoroutine();
  if (object.kind != ObjectKind::Global)
    return object.kind != ObjectKind::Heap;
  auto* global = dyn_cast<GlobalVariable>(object.site);
  return !object.isThreadLocal() || global->isDeclaration() || outsiders.mayUse(*global);
}

/// Where a step leads, as the IR alone says it.
Location moved(const Location& base, const Step& step) {
  Location expected = base;
  expected.offset += static_cast<uint32_t>(step.offset);
  expected.stride = std::gcd(base.stride, step.stride);
  expected.extent = 0;
  return expected;
}

/// Checks the points-to sets instruction by instruction, until nothing changes.
class Checker {
public:
  Checker(const Module& module, const CallGraph& graph, ProgramConstraints& constraints,
          const std::set<std::string>& exported)
      : graph_(graph), pointsTo_(graph.pointsTo()), constraints_(constraints),
        outsiders_(module, exported), sets_(pointsTo_) {
    for (uint32_t i = 0; i < pointsTo_.instances().size(); ++i)
      instances_[pointsTo_.instances()[i].body->function].push_back(static_cast<InstanceId>(i));
  }

  void check(const Module& module, std::span<const InstanceId> entries) {
    for (uint32_t i = 0; i < pointsTo_.objectCount(); ++i)
      if (isPublic(pointsTo_.object(static_cast<ObjectId>(i)), outsiders_))
        sets_.escape(static_cast<ObjectId>(i));
    for (InstanceId entry : entries)
      open(*pointsTo_.instance(entry).body->function);
    for (const Function& function : module)
      if (hasBody(function) && outsiders_.mayCall(function))
        open(function);
    sets_.takeChange(); // what comes first needs no second look
    do {
      for (uint32_t i = 0; i < pointsTo_.instances().size(); ++i) {
        graph_.tick(i, "functions in context");
        visit(static_cast<InstanceId>(i));
      }
    } while (sets_.takeChange());
  }

  bool isOwn(InstanceId instance, const Value& address) const {
    return sets_.isOwn(instance, address);
  }
  const DenseMap<const Function*, std::vector<InstanceId>>& instances() const { return instances_; }

private:
  using Known = CheckedSets::Known;

  // --- values

  Known of(const Value* value) const { return sets_.of(instance_, value); }

  const FunctionConstraints& body() const { return *pointsTo_.instance(instance_).body; }
  ObjectId objectAt(uint32_t location) const { return sets_.objectAt(location); }
  void markUnknown(const Instruction& result) {
    if (holdsPointer(result.getType()))
      sets_.markUnknown(instance_, body().operandOf(&result));
  }

  // --- loads and stores

  void load(const Instruction& instruction, const Value* from) {
    Known address = of(from);
    if (address.unknown)
      return markUnknown(instruction);
    if (!instruction.getType()->isPointerTy())
      return loadNumber(instruction, address);
    Operand result = body().operandOf(&instruction);
    std::span<const uint32_t> taken = pointsTo_.pointees(instance_, result);
    for (uint32_t each : address.pointees) {
      ObjectId object = objectAt(each);
      bool vague = address.loose || sets_.isClouded(each);
      if (vague)
        sets_.escapeContents(object);
      if (vague || sets_.isEscaped(object) || result == kNoOperand)
        sets_.markUnknown(instance_, result);
      sets_.receive(pointsTo_.contents(static_cast<LocationId>(each)), instance_, result, taken);
    }
  }

  /// An address that is read as a number, or with others at once, is not followed.
  void loadNumber(const Instruction& instruction, const Known& address) {
    bool single =
        instruction.getType()->isIntegerTy() || instruction.getType()->isFloatingPointTy();
    bool word = single && instruction.getType()->getPrimitiveSizeInBits() <= 8 * kAddressBytes;
    for (uint32_t each : address.pointees)
      if (word && !address.loose)
        sets_.escapeAll(pointsTo_.contents(static_cast<LocationId>(each)));
      else
        sets_.escapeContents(objectAt(each));
    markUnknown(instruction);
  }

  void store(const Value* what, const Value* to) {
    Known address = of(to);
    bool pointer = what->getType()->isPointerTy();
    Known value = pointer || holdsPointer(what->getType()) ? of(what) : Known{};
    if (address.unknown || (address.pointees.empty() && !isa<ConstantPointerNull>(to)))
      return sets_.escapeAll(value.pointees);
    uint64_t bits = what->getType()->getPrimitiveSizeInBits();
    bool word = pointer || (bits != 0 && bits <= 8 * kAddressBytes);
    for (uint32_t each : address.pointees) {
      ObjectId object = objectAt(each);
      if (address.loose || !word) {
        sets_.escapeAll(value.pointees);
        sets_.cloud(object);
      } else if (!pointer) {
        if (!isa<Constant>(what)) // a number may be made of an address
          sets_.cloud(each);
      } else
        storePointer(value, each);
    }
  }

  void storePointer(const Known& value, uint32_t to) {
    if (sets_.isEscaped(objectAt(to)))
      return sets_.escapeAll(value.pointees);
    if (value.unknown || value.loose)
      sets_.cloud(to);
    std::span<const uint32_t> kept = pointsTo_.contents(static_cast<LocationId>(to));
    if (std::includes(kept.begin(), kept.end(), value.pointees.begin(), value.pointees.end()))
      return;
    sets_.escapeAll(value.pointees);
    sets_.cloud(to);
  }

  void copyMemory(const MemTransferInst& copy) {
    Known from = of(copy.getRawSource());
    for (uint32_t each : from.pointees)
      sets_.escapeContents(objectAt(each));
    sets_.cloudAll(of(copy.getRawDest()));
  }

  /// An element of an object, or a part of it.
  void move(const GetElementPtrInst& gep) {
    Step step = constraints_.step(cast<GEPOperator>(gep));
    Operand result = body().operandOf(&gep);
    Known base = of(gep.getPointerOperand());
    if (!gep.getType()->isPointerTy() || base.unknown)
      return markUnknown(gep);
    if (step.isZero())
      return; // one variable for both
    if (isOnlyMeasured(gep))
      return; // such as the end of an array, which the sets do not have
    if (base.loose)
      sets_.markLoose(instance_, result);
    std::span<const uint32_t> places = pointsTo_.pointees(instance_, result);
    for (uint32_t each : base.pointees)
      moveTo(pointsTo_.location(static_cast<LocationId>(each)), step, result, places);
  }

  void moveTo(const Location& base, const Step& step, Operand result,
              std::span<const uint32_t> places) {
    if (!sets_.isMemory(base.object))
      return;
    Location expected = moved(base, step);
    bool found = false;
    bool exact = false;
    for (uint32_t each : places) {
      const Location& place = pointsTo_.location(static_cast<LocationId>(each));
      if (place.object != base.object)
        continue;
      found = true;
      exact |= overlap(expected, place) && (expected.stride == 0 || place.stride != 0);
    }
    if (!found) {
      sets_.escape(base.object);
      sets_.markUnknown(instance_, result);
    } else if (!exact)
      sets_.markLoose(instance_, result);
  }

  // --- calls

  void giveAway(const CallBase& call) {
    for (const Use& argument : call.args())
      if (holdsPointer(argument->getType()))
        sets_.escapeAll(of(argument).pointees);
    markUnknown(call);
  }

  void visitCall(const CallBase& call) {
    if (auto* intrinsic = dyn_cast<IntrinsicInst>(&call)) {
      if (auto* copy = dyn_cast<MemTransferInst>(intrinsic))
        return copyMemory(*copy);
      return isHarmless(*intrinsic) || isPassedThrough(*intrinsic) ? void() : giveAway(call);
    }
    auto* callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
    if (!callee || call.isInlineAsm())
      return giveAway(call);
    const Models& models = constraints_.models();
    const ExternalModel* model = models.replacement(*callee);
    if (!model && !hasBody(*callee))
      model = models.find(*callee);
    if (model && model->effect == Effect::Release)
      return;
    if (model && model->effect == Effect::Allocate && call.returnDoesNotAlias())
      return; // nobody else knows it, and it knows nobody
    if (model || !hasBody(*callee) || open_.contains(callee))
      return giveAway(call);
    callKnown(call, *callee);
  }

  void callKnown(const CallBase& call, const Function& callee) {
    int index = graph_.callIndex(body(), call);
    std::span<const CallEdge> edges =
        index < 0 ? std::span<const CallEdge>() : graph_.calls(instance_, index);
    if (edges.empty()) {
      if (isNeverMade(call, callee) || isVoid(call))
        return;
      open(callee);
      return giveAway(call);
    }
    for (unsigned i = 0; i < call.arg_size(); ++i)
      if (holdsPointer(call.getArgOperand(i)->getType()))
        passArgument(of(call.getArgOperand(i)), i, edges);
    if (!holdsPointer(call.getType()))
      return;
    if (body().calls[index].allocates)
      takeBlock(call, edges);
    else
      takeResult(call, edges);
  }

  /// An allocator's result is another object for its caller than inside of it. There it is not the
  /// allocator's own any more; here it is new as long as the allocator has told nobody of it.
  void takeBlock(const CallBase& call, std::span<const CallEdge> edges) {
    for (const CallEdge& edge : edges) {
      Operand result = pointsTo_.instance(edge.callee).body->result;
      Known block = sets_.of(edge.callee, result);
      for (uint32_t each : block.pointees) {
        ObjectId object = objectAt(each);
        sets_.handOut(object);
        if (sets_.isEscaped(object) || sets_.isFilled(object))
          return markUnknown(call);
      }
      if (block.unknown)
        return markUnknown(call);
    }
  }

  /// A member function of no object.
  bool isNeverMade(const CallBase& call, const Function& callee) {
    auto found = instances_.find(&callee);
    if (found == instances_.end())
      return false;
    const FunctionConstraints& target = *pointsTo_.instance(found->second.front()).body;
    if (!target.member || target.receiver >= call.arg_size())
      return false;
    Known receiver = of(call.getArgOperand(target.receiver));
    return !receiver.unknown && receiver.pointees.empty();
  }

  /// A destructor's call on what was moved from, which does nothing but look at its own object.
  bool isVoid(const CallBase& call) {
    return constraints_.movedFrom().isVoid(call) && all_of(call.args(), [&](const Use& argument) {
             Known value = of(argument);
             return !value.unknown && none_of(value.pointees, [&](uint32_t each) {
               return sets_.isEscaped(objectAt(each));
             });
           });
  }

  void passArgument(const Known& value, unsigned index, std::span<const CallEdge> edges) {
    // A member function has an instance for each receiver: together they have all.
    std::vector<uint32_t> taken;
    for (const CallEdge& edge : edges) {
      const FunctionConstraints& target = *pointsTo_.instance(edge.callee).body;
      if (index >= target.parameters.size())
        return sets_.escapeAll(value.pointees);
      auto part = pointsTo_.pointees(edge.callee, target.parameters[index]);
      taken.insert(taken.end(), part.begin(), part.end());
    }
    std::sort(taken.begin(), taken.end());
    taken.erase(std::unique(taken.begin(), taken.end()), taken.end());
    for (const CallEdge& edge : edges) {
      Operand parameter = pointsTo_.instance(edge.callee).body->parameters[index];
      if (value.unknown)
        sets_.markUnknown(edge.callee, parameter);
      else if (value.loose)
        sets_.markLoose(edge.callee, parameter);
      sets_.receive(value.pointees, edge.callee, parameter, taken);
    }
  }

  void takeResult(const CallBase& call, std::span<const CallEdge> edges) {
    Operand result = body().operandOf(&call);
    for (const CallEdge& edge : edges)
      sets_.pass(sets_.of(edge.callee, pointsTo_.instance(edge.callee).body->result), instance_,
                 result);
  }

  /// Somebody may call the function who is not seen.
  void open(const Function& first) {
    std::vector<const Function*> stack{&first};
    while (!stack.empty()) {
      const Function* function = stack.back();
      stack.pop_back();
      if (!open_.insert(function).second)
        continue;
      sets_.noteChange();
      auto found = instances_.find(function);
      if (found != instances_.end()) {
        for (InstanceId each : found->second)
          for (const Argument& argument : function->args())
            if (holdsPointer(argument.getType()))
              sets_.markUnknown(each,
                                pointsTo_.instance(each).body->parameters[argument.getArgNo()]);
        continue;
      }
      // Its own calls are not looked at: they may be any.
      for (const Instruction& each : instructions(*function))
        if (auto* call = dyn_cast<CallBase>(&each))
          if (auto* callee =
                  dyn_cast<Function>(call->getCalledOperand()->stripPointerCastsAndAliases());
              callee && hasBody(*callee))
            stack.push_back(callee);
    }
  }

  // --- instructions

  void visit(InstanceId instance) {
    instance_ = instance;
    for (const Instruction& each : instructions(*body().function))
      visit(each);
    if (body().function->isPresplitCoroutine())
      handOver(*body().function);
  }

  /// A coroutine may go on in another thread, with everything that it has an address of: what it
  /// was given, what it has allocated, thread_local variables of the thread that it came from.
  void handOver(const Function& coroutine) {
    for (const Argument& argument : coroutine.args())
      if (holdsPointer(argument.getType()))
        sets_.escapeAll(of(&argument).pointees);
    for (const Instruction& each : instructions(coroutine))
      if (holdsPointer(each.getType()))
        sets_.escapeAll(of(&each).pointees);
  }

  void visit(const Instruction& instruction) {
    switch (instruction.getOpcode()) {
    case Instruction::Load:
      return load(instruction, instruction.getOperand(0));
    case Instruction::Store:
      return store(instruction.getOperand(0), instruction.getOperand(1));
    case Instruction::GetElementPtr:
      return move(cast<GetElementPtrInst>(instruction));
    case Instruction::Call:
    case Instruction::Invoke:
      return visitCall(cast<CallBase>(instruction));
    case Instruction::PHI:
    case Instruction::InsertValue:
    case Instruction::ExtractValue:
      return passOperands(instruction, 0);
    case Instruction::Select:
      return passOperands(instruction, 1);
    case Instruction::Ret:
      return giveBack(instruction);
    case Instruction::PtrToInt:
      if (!isOnlyMeasured(instruction))
        sets_.escapeAll(of(instruction.getOperand(0)).pointees);
      return;
    case Instruction::Alloca:
    case Instruction::ICmp:
    case Instruction::BitCast: // one variable for both
    case Instruction::Freeze:
      return;
    default: {
      for (const Value* operand : instruction.operands())
        if (holdsPointer(operand->getType()))
          lookAway(operand);
      return markUnknown(instruction);
    }
    }
  }

  /// An operation that is not followed: what it gets and what it finds there is anybody's.
  void lookAway(const Value* operand) {
    if (!isa<BasicBlock>(operand))
      sets_.escapeAll(of(operand).pointees);
  }

  void passOperands(const Instruction& instruction, unsigned first) {
    if (!holdsPointer(instruction.getType()))
      return;
    for (unsigned i = first; i < instruction.getNumOperands(); ++i)
      if (const Value* operand = instruction.getOperand(i); holdsPointer(operand->getType()))
        sets_.pass(of(operand), instance_, body().operandOf(&instruction));
  }

  void giveBack(const Instruction& instruction) {
    if (instruction.getNumOperands() == 0 || !holdsPointer(instruction.getOperand(0)->getType()))
      return;
    Known value = of(instruction.getOperand(0));
    if (open_.contains(body().function))
      sets_.escapeAll(value.pointees);
    sets_.pass(value, instance_, body().result);
  }

  const CallGraph& graph_;
  const PointsTo& pointsTo_;
  ProgramConstraints& constraints_;
  Outsiders outsiders_;
  DenseMap<const Function*, std::vector<InstanceId>> instances_;
  DenseSet<const Function*> open_;
  CheckedSets sets_;
  InstanceId instance_ = InstanceId::None; ///< that is looked at
};

/// Their stacks go from thread to thread.
bool switchesStacks(const Module& module) {
  return any_of(module, [](const Function& function) {
    StringRef name = function.getName();
    return name == "makecontext" || name == "swapcontext" || name == "setcontext" ||
           name.ends_with("_fcontext"); // Boost's
  });
}

} // namespace

std::vector<SiteIdentity> findLocalSites(const Module& module, const CallGraph& graph,
                                         ProgramConstraints& constraints, Sites& sites,
                                         const std::set<std::string>& exported) {
  if (switchesStacks(module))
    return {};
  Checker checker(module, graph, constraints, exported);
  checker.check(module, graph.pointsTo().entries());
  std::set<SiteIdentity> own, others;
  for (const auto& [function, instances] : checker.instances())
    for (uint32_t index : sites.accesses(*function)) {
      const AccessSite& site = sites[index];
      bool local = !site.frees && !site.isAtomic() && all_of(instances, [&](InstanceId each) {
        return checker.isOwn(each, *site.address);
      });
      (local ? own : others).insert(site.identity);
    }
  std::vector<SiteIdentity> local;
  std::set_difference(own.begin(), own.end(), others.begin(), others.end(),
                      std::back_inserter(local));
  return local;
}

} // namespace heddle::analysis
