#include "static/sharing/local_sites.h"

#include "static/ir/address_uses.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include <algorithm>
#include <numeric>

using namespace llvm;

namespace heddle::analysis {
namespace {

constexpr int64_t kAddressBytes = 8;

/// Whether eight bytes at one place and eight at the other have some in common.
bool meet(const Location& one, const Location& other) {
  auto end = [](const Location& at) -> int64_t {
    if (at.stride == 0)
      return at.offset + kAddressBytes;
    return at.extent ? at.offset + int64_t{at.extent} + kAddressBytes : INT64_MAX;
  };
  if (one.offset >= end(other) || other.offset >= end(one))
    return false;
  int64_t stride = std::gcd(one.stride, other.stride);
  int64_t distance = int64_t{one.offset} - int64_t{other.offset};
  if (stride == 0)
    return std::abs(distance) < kAddressBytes;
  distance = (distance % stride + stride) % stride;
  return distance < kAddressBytes || distance > stride - kAddressBytes;
}

/// Checks the points-to sets instruction by instruction, until nothing changes:
///  - an *unknown* value may point anywhere; what it can point to by the sets has escaped
///  - a *loose* value points into the objects that the sets say, anywhere in them
///  - an *escaped* object may be known to other threads, with all that it leads to
///  - a *clouded* place may hold addresses that the sets do not have there.
/// Whatever is not one of these is as the sets say.
class Checker {
public:
  Checker(const Module& module, const CallGraph& graph, ProgramConstraints& constraints,
          const std::set<std::string>& exported)
      : graph_(graph), pointsTo_(graph.pointsTo()), constraints_(constraints),
        outsiders_(module, exported) {
    uint32_t nodes = 0;
    for (uint32_t i = 0; i < pointsTo_.instances().size(); ++i) {
      const Instance& instance = pointsTo_.instances()[i];
      instances_[instance.body->function].push_back(static_cast<InstanceId>(i));
      nodes = std::max(nodes, instance.first + instance.body->variables);
    }
    unknown_.resize(nodes);
    loose_.resize(nodes);
    escaped_.resize(pointsTo_.objectCount());
    cloudedObjects_.resize(pointsTo_.objectCount());
    handedOut_.resize(pointsTo_.objectCount());
    cloudedPlaces_.resize(pointsTo_.locationCount());
    cloudedOf_.resize(pointsTo_.objectCount());
  }

  void check(const Module& module, std::span<const InstanceId> entries) {
    for (uint32_t i = 0; i < pointsTo_.objectCount(); ++i)
      if (isPublic(pointsTo_.object(static_cast<ObjectId>(i))))
        escape(static_cast<ObjectId>(i));
    for (InstanceId entry : entries)
      open(*pointsTo_.instance(entry).body->function);
    for (const Function& function : module)
      if (hasBody(function) && outsiders_.mayCall(function))
        open(function);
    do {
      changed_ = false;
      for (uint32_t i = 0; i < pointsTo_.instances().size(); ++i) {
        graph_.tick(i, "functions in context");
        visit(static_cast<InstanceId>(i));
      }
    } while (changed_);
  }

  /// Whether the address can only be in memory of the thread that has it.
  bool isOwn(InstanceId instance, const Value& address) {
    instance_ = instance;
    Known value = of(&address);
    return !value.unknown && !value.pointees.empty() && all_of(value.pointees, [&](uint32_t each) {
      ObjectId object = objectAt(each);
      const Object& what = pointsTo_.object(object);
      bool memory =
          what.kind == ObjectKind::Local || what.kind == ObjectKind::Heap || what.isThreadLocal();
      return memory && !what.collapsed && !escaped_.test(raw(object)) &&
             !handedOut_.test(raw(object));
    });
  }
  const DenseMap<const Function*, std::vector<InstanceId>>& instances() const { return instances_; }

private:
  struct Known {
    bool unknown = false;
    bool loose = false;
    std::span<const uint32_t> pointees = {};
  };

  // --- values

  Known of(InstanceId instance, Operand operand) const {
    if (operand == kNoOperand)
      return {.unknown = true};
    Known value{.pointees = pointsTo_.pointees(instance, operand)};
    if (isVariable(operand)) {
      uint32_t node = pointsTo_.instance(instance).first + operand;
      value.unknown = unknown_.test(node);
      value.loose = loose_.test(node);
    } else
      value.unknown = value.pointees.empty(); // a constant that the solution does not have
    return value;
  }

  Known of(const Value* value) const {
    if (isa<ConstantPointerNull>(value) || isa<UndefValue>(value) ||
        isa<ConstantAggregateZero>(value))
      return {};
    if (isa<Constant>(value)) {
      std::span<const uint32_t> pointees = pointsTo_.pointees(instance_, value);
      return {.unknown = pointees.empty(), .pointees = pointees};
    }
    return of(instance_, body().operandOf(value));
  }

  const FunctionConstraints& body() const { return *pointsTo_.instance(instance_).body; }
  ObjectId objectAt(uint32_t location) const {
    return pointsTo_.location(static_cast<LocationId>(location)).object;
  }

  void set(BitVector& bits, uint32_t index) {
    if (bits.test(index))
      return;
    bits.set(index);
    changed_ = true;
  }

  void markUnknown(InstanceId instance, Operand operand) {
    if (operand == kNoOperand || !isVariable(operand))
      return;
    set(unknown_, pointsTo_.instance(instance).first + operand);
    escapeAll(pointsTo_.pointees(instance, operand));
  }
  void markUnknown(const Instruction& result) {
    if (holdsPointer(result.getType()))
      markUnknown(instance_, body().operandOf(&result));
  }
  void markLoose(InstanceId instance, Operand operand) {
    if (operand != kNoOperand && isVariable(operand))
      set(loose_, pointsTo_.instance(instance).first + operand);
  }

  /// The value is passed on to a variable whose set must have all of it.
  void pass(const Known& value, InstanceId to, Operand target) {
    if (target == kNoOperand)
      return escapeAll(value.pointees);
    if (value.unknown)
      return markUnknown(to, target);
    if (value.loose)
      markLoose(to, target);
    receive(value.pointees, to, target, pointsTo_.pointees(to, target));
  }

  /// What was left out of a set is lost from sight.
  void receive(std::span<const uint32_t> given, InstanceId to, Operand target,
               std::span<const uint32_t> taken) {
    if (std::includes(taken.begin(), taken.end(), given.begin(), given.end()))
      return;
    DenseSet<uint32_t> objects;
    for (uint32_t each : taken)
      objects.insert(raw(objectAt(each)));
    bool lost = false;
    for (uint32_t each : given)
      if (ObjectId object = objectAt(each); isMemory(object) && !objects.contains(raw(object))) {
        escape(object);
        lost = true;
      }
    if (lost)
      markUnknown(to, target);
    else
      markLoose(to, target);
  }

  // --- memory

  bool isMemory(ObjectId id) const {
    ObjectKind kind = pointsTo_.object(id).kind;
    return kind == ObjectKind::Global || kind == ObjectKind::Local || kind == ObjectKind::Heap;
  }

  bool isPublic(const Object& object) const {
    // A coroutine's variables go with it from thread to thread.
    if (object.kind == ObjectKind::Local)
      return cast<AllocaInst>(object.site)->getFunction()->isPresplitCoroutine();
    if (object.kind != ObjectKind::Global)
      return object.kind != ObjectKind::Heap;
    auto* global = dyn_cast<GlobalVariable>(object.site);
    return !object.isThreadLocal() || global->isDeclaration() || outsiders_.mayUse(*global);
  }

  void escape(ObjectId first) {
    std::vector<ObjectId> stack{first};
    while (!stack.empty()) {
      ObjectId object = stack.back();
      stack.pop_back();
      if (escaped_.test(raw(object)))
        continue;
      escaped_.set(raw(object));
      changed_ = true;
      for (LocationId each : pointsTo_.object(object).locations)
        for (uint32_t content : pointsTo_.contents(each))
          stack.push_back(objectAt(content));
    }
  }
  void escapeAll(std::span<const uint32_t> locations) {
    for (uint32_t each : locations)
      escape(objectAt(each));
  }
  void escapeContents(ObjectId object) {
    for (LocationId each : pointsTo_.object(object).locations)
      escapeAll(pointsTo_.contents(each));
  }

  void cloud(ObjectId object) { set(cloudedObjects_, raw(object)); }
  void cloud(uint32_t location) {
    if (cloudedPlaces_.test(location))
      return;
    set(cloudedPlaces_, location);
    cloudedOf_[raw(objectAt(location))].push_back(location);
  }
  bool isClouded(uint32_t location) const {
    ObjectId object = objectAt(location);
    const Location& at = pointsTo_.location(static_cast<LocationId>(location));
    return cloudedObjects_.test(raw(object)) || pointsTo_.object(object).collapsed ||
           any_of(cloudedOf_[raw(object)], [&](uint32_t each) {
             return meet(at, pointsTo_.location(static_cast<LocationId>(each)));
           });
  }
  void cloudAll(const Known& address) {
    for (uint32_t each : address.pointees)
      cloud(objectAt(each));
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
      bool vague = address.loose || isClouded(each);
      if (vague)
        escapeContents(object);
      if (vague || escaped_.test(raw(object)) || result == kNoOperand)
        markUnknown(instance_, result);
      receive(pointsTo_.contents(static_cast<LocationId>(each)), instance_, result, taken);
    }
  }

  /// An address that is read as a number, or with others at once, is not followed.
  void loadNumber(const Instruction& instruction, const Known& address) {
    bool single =
        instruction.getType()->isIntegerTy() || instruction.getType()->isFloatingPointTy();
    bool word = single && instruction.getType()->getPrimitiveSizeInBits() <= 8 * kAddressBytes;
    for (uint32_t each : address.pointees)
      if (word && !address.loose)
        escapeAll(pointsTo_.contents(static_cast<LocationId>(each)));
      else
        escapeContents(objectAt(each));
    markUnknown(instruction);
  }

  void store(const Value* what, const Value* to) {
    Known address = of(to);
    bool pointer = what->getType()->isPointerTy();
    Known value = pointer || holdsPointer(what->getType()) ? of(what) : Known{};
    if (address.unknown || (address.pointees.empty() && !isa<ConstantPointerNull>(to)))
      return escapeAll(value.pointees);
    uint64_t bits = what->getType()->getPrimitiveSizeInBits();
    bool word = pointer || (bits != 0 && bits <= 8 * kAddressBytes);
    for (uint32_t each : address.pointees) {
      ObjectId object = objectAt(each);
      if (address.loose || !word) {
        escapeAll(value.pointees);
        cloud(object);
      } else if (!pointer) {
        if (!isa<Constant>(what)) // a number may be made of an address
          cloud(each);
      } else
        storePointer(value, each);
    }
  }

  void storePointer(const Known& value, uint32_t to) {
    if (escaped_.test(raw(objectAt(to))))
      return escapeAll(value.pointees);
    if (value.unknown || value.loose)
      cloud(to);
    std::span<const uint32_t> kept = pointsTo_.contents(static_cast<LocationId>(to));
    if (std::includes(kept.begin(), kept.end(), value.pointees.begin(), value.pointees.end()))
      return;
    escapeAll(value.pointees);
    cloud(to);
  }

  void copyMemory(const MemTransferInst& copy) {
    Known from = of(copy.getRawSource());
    for (uint32_t each : from.pointees)
      escapeContents(objectAt(each));
    cloudAll(of(copy.getRawDest()));
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
      markLoose(instance_, result);
    std::span<const uint32_t> places = pointsTo_.pointees(instance_, result);
    for (uint32_t each : base.pointees)
      moveTo(pointsTo_.location(static_cast<LocationId>(each)), step, result, places);
  }

  void moveTo(const Location& base, const Step& step, Operand result,
              std::span<const uint32_t> places) {
    if (!isMemory(base.object))
      return;
    Location expected = base;
    expected.offset += static_cast<uint32_t>(step.offset);
    expected.stride = std::gcd(base.stride, step.stride);
    expected.extent = 0;
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
      escape(base.object);
      markUnknown(instance_, result);
    } else if (!exact)
      markLoose(instance_, result);
  }

  // --- calls

  void giveAway(const CallBase& call) {
    for (const Use& argument : call.args())
      if (holdsPointer(argument->getType()))
        escapeAll(of(argument).pointees);
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
      Known block = of(edge.callee, result);
      for (uint32_t each : block.pointees) {
        ObjectId object = objectAt(each);
        set(handedOut_, raw(object));
        if (escaped_.test(raw(object)) || isFilled(object))
          return markUnknown(call);
      }
      if (block.unknown)
        return markUnknown(call);
    }
  }

  bool isFilled(ObjectId object) const {
    return any_of(pointsTo_.object(object).locations,
                  [&](LocationId each) { return !pointsTo_.contents(each).empty(); });
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
               return escaped_.test(raw(objectAt(each)));
             });
           });
  }

  void passArgument(const Known& value, unsigned index, std::span<const CallEdge> edges) {
    // A member function has an instance for each receiver: together they have all.
    std::vector<uint32_t> taken;
    for (const CallEdge& edge : edges) {
      const FunctionConstraints& target = *pointsTo_.instance(edge.callee).body;
      if (index >= target.parameters.size())
        return escapeAll(value.pointees);
      auto part = pointsTo_.pointees(edge.callee, target.parameters[index]);
      taken.insert(taken.end(), part.begin(), part.end());
    }
    std::sort(taken.begin(), taken.end());
    taken.erase(std::unique(taken.begin(), taken.end()), taken.end());
    for (const CallEdge& edge : edges) {
      Operand parameter = pointsTo_.instance(edge.callee).body->parameters[index];
      if (value.unknown)
        markUnknown(edge.callee, parameter);
      else if (value.loose)
        markLoose(edge.callee, parameter);
      receive(value.pointees, edge.callee, parameter, taken);
    }
  }

  void takeResult(const CallBase& call, std::span<const CallEdge> edges) {
    Operand result = body().operandOf(&call);
    for (const CallEdge& edge : edges)
      pass(of(edge.callee, pointsTo_.instance(edge.callee).body->result), instance_, result);
  }

  /// Somebody may call the function who is not seen.
  void open(const Function& first) {
    std::vector<const Function*> stack{&first};
    while (!stack.empty()) {
      const Function* function = stack.back();
      stack.pop_back();
      if (!open_.insert(function).second)
        continue;
      changed_ = true;
      auto found = instances_.find(function);
      if (found != instances_.end()) {
        for (InstanceId each : found->second)
          for (const Argument& argument : function->args())
            if (holdsPointer(argument.getType()))
              markUnknown(each, pointsTo_.instance(each).body->parameters[argument.getArgNo()]);
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
        escapeAll(of(&argument).pointees);
    for (const Instruction& each : instructions(coroutine))
      if (holdsPointer(each.getType()))
        escapeAll(of(&each).pointees);
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
        escapeAll(of(instruction.getOperand(0)).pointees);
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
      escapeAll(of(operand).pointees);
  }

  void passOperands(const Instruction& instruction, unsigned first) {
    if (!holdsPointer(instruction.getType()))
      return;
    for (unsigned i = first; i < instruction.getNumOperands(); ++i)
      if (const Value* operand = instruction.getOperand(i); holdsPointer(operand->getType()))
        pass(of(operand), instance_, body().operandOf(&instruction));
  }

  void giveBack(const Instruction& instruction) {
    if (instruction.getNumOperands() == 0 || !holdsPointer(instruction.getOperand(0)->getType()))
      return;
    Known value = of(instruction.getOperand(0));
    if (open_.contains(body().function))
      escapeAll(value.pointees);
    pass(value, instance_, body().result);
  }

  const CallGraph& graph_;
  const PointsTo& pointsTo_;
  ProgramConstraints& constraints_;
  Outsiders outsiders_;
  DenseMap<const Function*, std::vector<InstanceId>> instances_;
  DenseSet<const Function*> open_;
  BitVector unknown_, loose_;                    ///< by node
  BitVector escaped_, cloudedObjects_;           ///< by object
  BitVector handedOut_;                          ///< by object: by an allocator
  BitVector cloudedPlaces_;                      ///< by location
  std::vector<std::vector<uint32_t>> cloudedOf_; ///< by object
  InstanceId instance_ = InstanceId::None;       ///< that is looked at
  bool changed_ = false;
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
