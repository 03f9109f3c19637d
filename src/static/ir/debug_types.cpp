#include "static/ir/debug_types.h"

#include "static/ir/standard_library.h"

#include "llvm/BinaryFormat/Dwarf.h"

using namespace llvm;

namespace heddle::analysis {
namespace {

/// The only member of a union that has any data in it; null if there are several.
const DIType* onlyMember(const DICompositeType& type) {
  const DIType* only = nullptr;
  for (const DINode* node : type.getElements()) {
    auto* member = dyn_cast<DIDerivedType>(node);
    if (!member || member->getTag() != dwarf::DW_TAG_member || member->isStaticMember())
      continue;
    const DIType* inside = strippedType(member->getBaseType());
    auto* structure = dyn_cast_or_null<DICompositeType>(inside);
    bool empty = structure && structure->getSizeInBits() <= 8 && structure->getElements().empty();
    if (empty && type.getSizeInBits() > 8)
      continue;
    if (only || !inside)
      return nullptr;
    only = inside;
  }
  return only;
}

/// What lies in room that the library has for one object whose life it begins and ends itself: a
/// node of a container, the block of make_shared, std::optional.
const DIType* storedType(const DIType* type) {
  auto* composite = dyn_cast_or_null<DICompositeType>(type);
  if (!composite || composite->isForwardDecl())
    return nullptr;
  const DIType* stored = nullptr;
  if (composite->getTag() == dwarf::DW_TAG_union_type)
    stored = onlyMember(*composite);
  else if (isObjectRoom(*composite))
    stored = firstTemplateArgument(*composite);
  return stored && stored->getSizeInBits() == composite->getSizeInBits() ? stored : nullptr;
}

/// Whether the rules of C++ hold for a class: it has a name that all units know it by, or one that
/// only C++ can give it. In C, casts between structs are common.
bool isOfCpp(const DICompositeType& type) {
  if (!type.getIdentifier().empty())
    return true;
  const DIScope* scope = type.getScope();
  return isa_and_nonnull<DINamespace>(scope) || isa_and_nonnull<DICompositeType>(scope) ||
         any_of(type.getElements(), [](const DINode* node) {
           return isa<DISubprogram>(node) || node->getTag() == dwarf::DW_TAG_inheritance;
         });
}

/// Whether no address can be in a value of the type. Integers of an address's size can carry one,
/// and bytes are room for anything.
bool isNumber(const DIType* type) {
  auto* base = dyn_cast_or_null<DIBasicType>(type);
  if (!base)
    return type && type->getTag() == dwarf::DW_TAG_enumeration_type;
  return base->getEncoding() == dwarf::DW_ATE_float ||
         base->getEncoding() == dwarf::DW_ATE_boolean ||
         (base->getSizeInBits() > 8 && base->getSizeInBits() < 64);
}

} // namespace

bool isPointerToText(const DIType* type) {
  auto* pointer = dyn_cast_or_null<DIDerivedType>(strippedType(type));
  return pointer && isPointer(*pointer) && isCharacter(pointer->getBaseType());
}

const DIType* firstTemplateArgument(const DICompositeType& type) {
  auto parameters = type.getTemplateParams();
  auto* first = parameters.empty() ? nullptr : dyn_cast<DITemplateTypeParameter>(parameters[0]);
  return first ? first->getType() : nullptr;
}

const DIType* firstTemplateArgument(const DIType* type) {
  auto* composite = dyn_cast_or_null<DICompositeType>(strippedType(type));
  return composite ? firstTemplateArgument(*composite) : nullptr;
}

bool isPointer(const DIDerivedType& type) {
  return type.getTag() == dwarf::DW_TAG_pointer_type ||
         type.getTag() == dwarf::DW_TAG_reference_type ||
         type.getTag() == dwarf::DW_TAG_rvalue_reference_type;
}

bool isCharacter(const DIType* type) {
  auto* base = dyn_cast_or_null<DIBasicType>(strippedType(type));
  return base && (base->getName() == "char" || base->getName() == "wchar_t" ||
                  base->getEncoding() == dwarf::DW_ATE_UTF);
}

const DIType* strippedType(const DIType* type) {
  for (;;) {
    if (const DIType* stored = storedType(type)) {
      type = stored;
      continue;
    }
    auto* derived = dyn_cast_or_null<DIDerivedType>(type);
    if (!derived)
      return type;
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
}

bool isClass(const DIType* type) {
  return type && (type->getTag() == dwarf::DW_TAG_class_type ||
                  type->getTag() == dwarf::DW_TAG_structure_type);
}

const DICompositeType* pointeeClass(const DIType* type) {
  auto* pointer = dyn_cast_or_null<DIDerivedType>(strippedType(type));
  if (!pointer || !isPointer(*pointer))
    return nullptr;
  auto* pointee = dyn_cast_or_null<DICompositeType>(strippedType(pointer->getBaseType()));
  return pointee && isClass(pointee) ? pointee : nullptr;
}

CellContent contentOf(const DIType* type) {
  type = strippedType(type);
  if (isNumber(type))
    return {CellContent::Kind::Number, nullptr};
  auto* pointer = dyn_cast_or_null<DIDerivedType>(type);
  if (!pointer || !isPointer(*pointer))
    return {};
  const DIType* pointee = strippedType(pointer->getBaseType());
  if (!pointee)
    return {}; // void
  if (isa<DISubroutineType>(pointee))
    return {CellContent::Kind::Function, nullptr};
  if (auto* inner = dyn_cast<DIDerivedType>(pointee); inner && isPointer(*inner))
    return {CellContent::Kind::Address, nullptr};
  if (isa<DIBasicType>(pointee) && pointee->getSizeInBits() > 8)
    return {CellContent::Kind::Scalar, nullptr};
  auto* composite = dyn_cast<DICompositeType>(pointee);
  if (composite && isClass(composite) && isOfCpp(*composite))
    return {CellContent::Kind::Object, composite};
  return {};
}

CellContent parameterContent(const Function& function, unsigned parameter) {
  const DISubprogram* subprogram = function.getSubprogram();
  if (!subprogram || !subprogram->getType())
    return {};
  unsigned hidden = function.hasStructRetAttr() ? 1 : 0;
  auto types = subprogram->getType()->getTypeArray();
  if (parameter < hidden || types.size() != function.arg_size() - hidden + 1)
    return {}; // structs in several registers: the parameters do not correspond
  CellContent content = contentOf(types[parameter - hidden + 1]);
  return content.kind == CellContent::Kind::Object ? content : CellContent{};
}

bool copiesText(const Function& function) {
  StringRef name = function.getName();
  const DISubprogram* subprogram = function.getSubprogram();
  if (!subprogram || !subprogram->getType() || !isStandardName(name))
    return false;
  bool text = false;
  for (const DIType* type : drop_begin(subprogram->getType()->getTypeArray())) {
    auto* pointer = dyn_cast_or_null<DIDerivedType>(strippedType(type));
    if (!pointer || !isPointer(*pointer))
      continue;
    if (!isPointerToText(pointer))
      return false;
    text = true;
  }
  return text;
}

} // namespace heddle::analysis
