#include "static/object_types.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace heddle::analysis {
namespace {

bool isSameClass(const DICompositeType* one, const DICompositeType* other) {
  return one == other ||
         (!one->getIdentifier().empty() && one->getIdentifier() == other->getIdentifier());
}

const DIType* declaredType(const AllocaInst& local) {
  auto& mutableLocal = const_cast<AllocaInst&>(local); // LLVM's interface; nothing is changed
  for (DbgVariableRecord* record : findDVRDeclares(&mutableLocal))
    if (record->getExpression()->getNumElements() == 0)
      return record->getVariable()->getType();
  for (DbgVariableRecord* record : at::getDVRAssignmentMarkers(&mutableLocal))
    if (record->getAddress() == &local && record->getExpression()->getNumElements() == 0 &&
        !record->getExpression()->isFragment())
      return record->getVariable()->getType();
  return nullptr;
}

/// `allocate` of std::allocator and its relatives makes what the class is instantiated for.
const DIType* allocatorElement(const Function& function) {
  const DISubprogram* subprogram = function.getSubprogram();
  if (!subprogram)
    return nullptr;
  if (subprogram->getDeclaration())
    subprogram = subprogram->getDeclaration();
  auto* scope = dyn_cast_or_null<DICompositeType>(subprogram->getScope());
  if (!scope || subprogram->getName() != "allocate" || !scope->getName().contains("allocator"))
    return nullptr;
  auto parameters = scope->getTemplateParams();
  if (parameters.empty())
    return nullptr;
  auto* first = dyn_cast<DITemplateTypeParameter>(parameters[0]);
  return first ? first->getType() : nullptr;
}

const DIType* elementType(const DIType* type) {
  type = strippedType(type);
  while (type && type->getTag() == dwarf::DW_TAG_array_type)
    type = strippedType(cast<DICompositeType>(type)->getBaseType());
  return type;
}

} // namespace

const DIType* strippedType(const DIType* type) {
  while (auto* derived = dyn_cast_or_null<DIDerivedType>(type)) {
    switch (derived->getTag()) {
    case dwarf::DW_TAG_typedef:
    case dwarf::DW_TAG_const_type:
    case dwarf::DW_TAG_volatile_type:
    case dwarf::DW_TAG_restrict_type:
    case dwarf::DW_TAG_atomic_type:
      type = derived->getBaseType();
      break;
    default:
      return type;
    }
  }
  return type;
}

bool isClass(const DIType* type) {
  return type && (type->getTag() == dwarf::DW_TAG_class_type ||
                  type->getTag() == dwarf::DW_TAG_structure_type);
}

const DICompositeType* pointeeClass(const DIType* type) {
  auto* pointer = dyn_cast_or_null<DIDerivedType>(strippedType(type));
  if (!pointer || (pointer->getTag() != dwarf::DW_TAG_pointer_type &&
                   pointer->getTag() != dwarf::DW_TAG_reference_type &&
                   pointer->getTag() != dwarf::DW_TAG_rvalue_reference_type))
    return nullptr;
  auto* pointee = dyn_cast_or_null<DICompositeType>(strippedType(pointer->getBaseType()));
  return pointee && isClass(pointee) ? pointee : nullptr;
}

const DICompositeType* parameterClass(const Function& function, unsigned parameter) {
  const DISubprogram* subprogram = function.getSubprogram();
  if (!subprogram || !subprogram->getType())
    return nullptr;
  unsigned hidden = function.hasStructRetAttr() ? 1 : 0;
  auto types = subprogram->getType()->getTypeArray();
  if (parameter < hidden || types.size() != function.arg_size() - hidden + 1)
    return nullptr; // structs in several registers: the parameters do not correspond
  const DICompositeType* pointee = pointeeClass(types[parameter - hidden + 1]);
  return pointee && !pointee->getIdentifier().empty() ? pointee : nullptr;
}

const DIType* objectType(const Value& site) {
  if (auto* local = dyn_cast<AllocaInst>(&site))
    return elementType(declaredType(*local));
  if (auto* global = dyn_cast<GlobalVariable>(&site)) {
    SmallVector<DIGlobalVariableExpression*, 1> variables;
    global->getDebugInfo(variables);
    return variables.empty() ? nullptr : elementType(variables[0]->getVariable()->getType());
  }
  if (auto* call = dyn_cast<CallBase>(&site)) {
    if (auto* type = dyn_cast_or_null<DIType>(call->getMetadata("heapallocsite")))
      return elementType(type);
    return elementType(allocatorElement(*call->getFunction()));
  }
  return nullptr;
}

bool TypeLayouts::mayHold(const DIType* type, uint64_t offset, const DICompositeType* wanted) {
  type = strippedType(type);
  if (!type)
    return true;
  auto* composite = dyn_cast<DICompositeType>(type);
  if (!composite)
    return type->getTag() == dwarf::DW_TAG_base_type && type->getSizeInBits() <= 8 &&
           !type->getName().contains("bool"); // bytes are room for anything
  if (composite->getTag() == dwarf::DW_TAG_union_type)
    return true;
  if (composite->getTag() == dwarf::DW_TAG_array_type) {
    const DIType* element = strippedType(composite->getBaseType());
    uint64_t bytes = element ? element->getSizeInBits() / 8 : 0;
    return bytes == 0 || mayHold(element, offset % bytes, wanted);
  }
  if (!isClass(composite))
    return false; // an enumeration
  if (composite->isForwardDecl())
    return true;
  uint64_t size = composite->getSizeInBits() / 8;
  if (size && offset >= size)
    offset %= size; // an array of them
  if (offset == 0 && isSameClass(composite, wanted))
    return true;
  Key key{{type, wanted}, offset};
  if (auto found = known_.find(key); found != known_.end())
    return found->second;
  bool holds = false;
  for (const DINode* element : composite->getElements()) {
    auto* part = dyn_cast<DIDerivedType>(element);
    if (!part || part->isStaticMember())
      continue;
    if (part->getTag() == dwarf::DW_TAG_inheritance && part->isVirtual()) {
      holds = true; // where a virtual base lies is not fixed
      break;
    }
    if (part->getTag() != dwarf::DW_TAG_member && part->getTag() != dwarf::DW_TAG_inheritance)
      continue;
    uint64_t begin = part->getOffsetInBits() / 8;
    const DIType* base = strippedType(part->getBaseType());
    uint64_t bytes = base ? std::max<uint64_t>(base->getSizeInBits() / 8, 1) : 1;
    if (offset >= begin && offset < begin + bytes && mayHold(base, offset - begin, wanted)) {
      holds = true;
      break;
    }
  }
  known_[key] = holds;
  return holds;
}

/// Calls visit(type, where it begins) for members and bases around an offset; of a union several.
template <typename Visit>
static void eachPartAt(const DICompositeType& type, uint64_t offset, Visit visit) {
  for (const DINode* node : type.getElements()) {
    auto* part = dyn_cast<DIDerivedType>(node);
    if (!part || part->isStaticMember() ||
        (part->getTag() != dwarf::DW_TAG_member && part->getTag() != dwarf::DW_TAG_inheritance))
      continue;
    uint64_t begin = part->getOffsetInBits() / 8;
    const DIType* inside = strippedType(part->getBaseType());
    uint64_t bytes = inside ? inside->getSizeInBits() / 8 : 0;
    if (offset >= begin && offset < begin + bytes)
      visit(*inside, begin);
  }
}

uint64_t TypeLayouts::arrayEnd(const DIType* type, uint64_t offset, uint64_t stride) {
  auto* composite = dyn_cast_or_null<DICompositeType>(strippedType(type));
  if (!composite || composite->isForwardDecl())
    return 0;
  if (composite->getTag() == dwarf::DW_TAG_array_type) {
    const DIType* element = strippedType(composite->getBaseType());
    uint64_t bytes = element ? element->getSizeInBits() / 8 : 0;
    if (bytes == 0)
      return 0;
    uint64_t start = offset / bytes * bytes;
    if (uint64_t end = arrayEnd(element, offset - start, stride))
      return start + end;
    return bytes == stride ? composite->getSizeInBits() / 8 : 0;
  }
  if (!isClass(composite) && composite->getTag() != dwarf::DW_TAG_union_type)
    return 0;
  uint64_t best = 0;
  eachPartAt(*composite, offset, [&](const DIType& part, uint64_t begin) {
    if (uint64_t end = arrayEnd(&part, offset - begin, stride))
      best = std::max(best, begin + end);
  });
  return best;
}

uint64_t TypeLayouts::partEnd(const DIType* type, uint64_t offset) {
  auto* composite = dyn_cast_or_null<DICompositeType>(strippedType(type));
  if (!composite || composite->isForwardDecl())
    return 0;
  uint64_t size = composite->getSizeInBits() / 8;
  if (offset == 0 || composite->getTag() == dwarf::DW_TAG_array_type)
    return offset < size ? size : 0;
  if (!isClass(composite) && composite->getTag() != dwarf::DW_TAG_union_type)
    return 0;
  uint64_t best = 0;
  eachPartAt(*composite, offset, [&](const DIType& part, uint64_t begin) {
    uint64_t end =
        isa<DICompositeType>(part) ? partEnd(&part, offset - begin) : part.getSizeInBits() / 8;
    best = std::max(best, end ? begin + end : 0);
  });
  return best;
}

} // namespace heddle::analysis
