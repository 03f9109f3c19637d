#include "object_names.h"

#include "call_graph.h"
#include "debug_variables.h"
#include "lock_guards.h"
#include "type_layout.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace heddle::pass {
namespace {

// Pointers come from pointers; longer chains only cost time and say nothing to a reader.
constexpr int kMaxDepth = 12;
constexpr Extent kPointer = {Extent::Scalar, 8};
constexpr Extent kWholeObject = {Extent::Object, 0};

enum class Root : uint8_t {
  Unknown,
  Variable, ///< `name` is the object itself
  Pointee,  ///< `name` is a pointer to the object; may be empty
  Referee,  ///< `name` is a reference to the object
};

/// What a pointer points at: an object of `type`, and how far into it.
struct Place {
  Root root = Root::Unknown;
  std::string name;
  const DIType* type = nullptr;
  Offset offset;
};

// Unlike stripPointerCasts, leaves selections of a first member: they are what tells an object
// from its first member.
const Value* withoutCasts(const Value* pointer) {
  while (true) {
    if (const auto* cast = dyn_cast<AddrSpaceCastOperator>(pointer))
      pointer = cast->getPointerOperand();
    else if (const auto* call = dyn_cast<IntrinsicInst>(pointer);
             call && call->isLaunderOrStripInvariantGroup())
      pointer = call->getArgOperand(0);
    else
      return pointer;
  }
}

bool isIndexing(StringRef method) { return method == "operator[]" || method == "at"; }
bool isDereference(StringRef method) {
  return method == "operator*" || method == "operator->" || method == "get";
}

} // namespace

class ObjectNames::Impl {
public:
  explicit Impl(const Module& module) : data_(module.getDataLayout()), layout_(module) {}

  ObjectName ofAddress(const Value* address, Extent extent) const {
    return render(placeOf(address, 0), extent);
  }

  /// The access tag names the class and the offset in it, from the front end's own types.
  ObjectName ofTbaa(const Instruction& access, Extent extent) const {
    const MDNode* tag = access.getMetadata(LLVMContext::MD_tbaa);
    if (!tag || tag->getNumOperands() < 3)
      return {};
    const auto* base = dyn_cast<MDNode>(tag->getOperand(0));
    const auto* name = base ? dyn_cast<MDString>(base->getOperand(0)) : nullptr;
    const DIType* type = name ? layout_.find(name->getString().str()) : nullptr;
    if (!type)
      return {};
    Place place = {Root::Pointee, "", type, {}};
    place.offset.bytes = mdconst::extract<ConstantInt>(tag->getOperand(2))->getSExtValue();
    place.offset.members = 1;
    return render(place, extent);
  }

  ObjectName ofAllocation(const CallBase& call) const {
    const auto* type = dyn_cast_or_null<DIType>(call.getMetadata("heapallocsite"));
    return {type ? layout_.name(type) : "", 0};
  }

private:
  Place placeOf(const Value* pointer, int depth) const {
    if (depth > kMaxDepth)
      return {};
    pointer = withoutCasts(pointer);
    if (const auto* step = dyn_cast<GEPOperator>(pointer))
      return placeOfStep(*step, depth);
    if (const auto* global = dyn_cast<GlobalVariable>(pointer))
      return placeOfGlobal(*global);
    if (Place declared = placeOfDeclared(pointer); declared.root != Root::Unknown)
      return declared;
    if (isa<AllocaInst>(pointer))
      return {};
    Place derived = placeOfDerived(pointer, depth);
    if (derived.root != Root::Unknown && derived.type && layout_.isClass(derived.type))
      return derived;
    Place named = placeOfVariable(pointer);
    return named.root != Root::Unknown ? named : derived;
  }

  Place placeOfDerived(const Value* pointer, int depth) const {
    if (const auto* argument = dyn_cast<Argument>(pointer))
      return placeOfArgument(*argument);
    if (const auto* load = dyn_cast<LoadInst>(pointer))
      return placeOfLoaded(*load, depth);
    if (const auto* call = dyn_cast<CallBase>(pointer))
      return placeOfResult(*call, depth);
    if (const auto* phi = dyn_cast<PHINode>(pointer))
      return firstKnown(phi->incoming_values(), depth);
    if (const auto* select = dyn_cast<SelectInst>(pointer))
      return firstKnown(drop_begin(select->operands()), depth);
    return {};
  }

  template <typename Range> Place firstKnown(Range&& values, int depth) const {
    for (const Value* value : values)
      if (Place place = placeOf(value, depth + kMaxDepth / 4); place.root != Root::Unknown)
        return place;
    return {};
  }

  // An address computation. A variable index leaves the bytes as if it were 0: all elements of an
  // array have one name.
  Place placeOfStep(const GEPOperator& step, int depth) const {
    Place place = placeOf(step.getPointerOperand(), depth + 1);
    if (place.root == Root::Unknown)
      return placeOfVariable(&step);
    Type* type = step.getSourceElementType();
    MapVector<Value*, APInt> variables;
    APInt constant(64, 0);
    if (!step.collectOffset(data_, 64, variables, constant))
      return {};
    place.offset.bytes += constant.getSExtValue();
    place.offset.indexed = place.offset.indexed || !variables.empty() || type->isArrayTy();
    if (type->isStructTy() && step.getNumIndices() > 1)
      place.offset.members += step.getNumIndices() - 1;
    return place;
  }

  static Place placeOfGlobal(const GlobalVariable& global) {
    GlobalName name = globalName(global);
    return {name.text.empty() ? Root::Unknown : Root::Variable, name.text, name.type, {}};
  }

  // A variable that lives in memory.
  static Place placeOfDeclared(const Value* address) {
    const DILocalVariable* variable = variableAt(address);
    if (!variable)
      return {};
    return {Root::Variable, variable->getName().str(), variable->getType(), {}};
  }

  // A variable that holds the pointer.
  Place placeOfVariable(const Value* pointer) const {
    Place found;
    for (const DILocalVariable* variable : variablesHolding(pointer)) {
      Place place = pointeePlace(variable->getName().str(), variable->getType());
      if (layout_.isClass(place.type))
        return place;
      if (found.root == Root::Unknown)
        found = place;
    }
    return found;
  }

  Place pointeePlace(std::string name, const DIType* pointerType) const {
    const DIType* type = layout_.pointee(pointerType);
    if (!type)
      return {};
    return {layout_.isReference(pointerType) ? Root::Referee : Root::Pointee,
            std::move(name),
            type,
            {}};
  }

  // For an argument without a variable: the declared type, where arguments and parameters are one
  // to one.
  Place placeOfArgument(const Argument& argument) const {
    if (Place named = placeOfVariable(&argument); named.root != Root::Unknown)
      return named;
    const Function& function = *argument.getParent();
    const DISubprogram* subprogram = function.getSubprogram();
    if (!subprogram || !subprogram->getType())
      return {};
    DITypeRefArray types = subprogram->getType()->getTypeArray();
    unsigned first = function.hasStructRetAttr() ? 1 : 0;
    if (types.size() != function.arg_size() - first + 1 || argument.getArgNo() < first)
      return {};
    return pointeePlace("", types[argument.getArgNo() - first + 1]);
  }

  Place placeOfLoaded(const LoadInst& load, int depth) const {
    if (!load.getType()->isPointerTy())
      return {};
    Place from = placeOf(load.getPointerOperand(), depth + 1);
    if (from.root == Root::Unknown || !from.type)
      return {};
    Part part = descend(from, kPointer);
    return pointeePlace(render(from, kPointer).text, part.type);
  }

  Place placeOfResult(const CallBase& call, int depth) const {
    if (const auto* type = dyn_cast_or_null<DIType>(call.getMetadata("heapallocsite")))
      return {Root::Pointee, "", type, {}};
    const Function* callee = directCallee(call);
    const DISubprogram* subprogram = callee ? callee->getSubprogram() : nullptr;
    if (!subprogram || !subprogram->getType() || subprogram->getType()->getTypeArray().size() == 0)
      return {};
    const DIType* result = subprogram->getType()->getTypeArray()[0];
    if (!layout_.pointee(result))
      return {};
    return pointeePlace(resultName(call, subprogram->getName(), depth), result);
  }

  // "queue.front()" for what the call returns a reference to; "table[]" for an element.
  std::string resultName(const CallBase& call, StringRef method, int depth) const {
    if (call.arg_empty() || !call.getArgOperand(0)->getType()->isPointerTy())
      return "";
    std::string object = render(placeOf(call.getArgOperand(0), depth + 1), kWholeObject).text;
    if (object.empty())
      return "";
    if (isIndexing(method))
      return object + "[]";
    if (isDereference(method))
      return "*" + object;
    return object + "." + withoutTemplateArguments(method.str()) + "()";
  }

  Part descend(const Place& place, Extent extent) const {
    Offset offset = place.offset;
    // Elements of what a pointer points at: any one of them.
    uint64_t whole = layout_.sizeOf(place.type);
    if (place.root != Root::Variable && whole && !layout_.isArray(place.type))
      offset.bytes %= static_cast<int64_t>(whole);
    return layout_.descend(place.type, offset, extent, place.root != Root::Variable);
  }

  ObjectName render(const Place& place, Extent extent) const {
    if (place.root == Root::Unknown || place.offset.bytes < 0)
      return {};
    if (!place.type)
      return {place.name, static_cast<uint32_t>(place.offset.bytes)};
    Part part = descend(place, extent);
    return {text(place, part), static_cast<uint32_t>(part.rootOffset)};
  }

  std::string text(const Place& place, const Part& part) const {
    bool startsWithIndex = StringRef(part.path).starts_with("[");
    if (!part.path.empty() && layout_.isClosure(part.root))
      return part.path;
    if (place.root == Root::Variable) {
      bool joined = part.path.empty() || startsWithIndex;
      return place.name + (joined ? "" : ".") + part.path;
    }
    if (!part.path.empty() && !startsWithIndex)
      return layout_.name(part.root) + "::" + part.path;
    bool isBase = part.path.empty() && part.root != place.type;
    return isBase ? layout_.name(part.root) : wholeText(place) + part.path;
  }

  std::string wholeText(const Place& place) const {
    if (place.name.empty() || place.name == "this")
      return layout_.isClass(place.type) ? layout_.name(place.type) : "";
    if (place.root == Root::Referee)
      return place.name;
    if (place.offset.indexed || place.offset.bytes != 0)
      return place.name + "[]";
    return layout_.isArray(place.type) ? place.name : "*" + place.name;
  }

  const DataLayout& data_;
  TypeLayout layout_;
};

ObjectNames::ObjectNames(const Module& module) : impl_(std::make_unique<Impl>(module)) {}
ObjectNames::~ObjectNames() = default;

ObjectName ObjectNames::ofAccess(const Instruction& access, const Value* address,
                                 uint64_t size) const {
  Extent extent = {isa<CallBase>(access) ? Extent::Range : Extent::Scalar, size};
  ObjectName name = impl_->ofAddress(address, extent);
  return name.text.empty() ? impl_->ofTbaa(access, extent) : name;
}

ObjectName ObjectNames::ofCall(const CallBase& call) const {
  if (ObjectName allocated = impl_->ofAllocation(call); !allocated.text.empty())
    return allocated;
  if (const Value* mutex = guardedMutex(call))
    if (ObjectName name = impl_->ofAddress(mutex, kWholeObject); !name.text.empty())
      return name;
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    const Value* argument = call.getArgOperand(i);
    if (!argument->getType()->isPointerTy() || call.paramHasAttr(i, Attribute::StructRet))
      continue;
    return isa<Function>(argument) ? ObjectName{} : impl_->ofAddress(argument, kWholeObject);
  }
  return {};
}

ObjectName ObjectNames::ofSpin(const Instruction& condition) const {
  if (const auto* call = dyn_cast<CallBase>(&condition))
    return ofCall(*call);
  const DataLayout& data = condition.getDataLayout();
  if (const auto* load = dyn_cast<LoadInst>(&condition))
    return ofAccess(*load, load->getPointerOperand(), data.getTypeStoreSize(load->getType()));
  if (const auto* update = dyn_cast<AtomicRMWInst>(&condition))
    return ofAccess(*update, update->getPointerOperand(), data.getTypeStoreSize(update->getType()));
  if (const auto* exchange = dyn_cast<AtomicCmpXchgInst>(&condition))
    return ofAccess(*exchange, exchange->getPointerOperand(),
                    data.getTypeStoreSize(exchange->getNewValOperand()->getType()));
  return {};
}

} // namespace heddle::pass
