#include "type_layout.h"

#include "debug_scope.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heddle::pass {
namespace {

// No type is nested this deep; debug information that refers to itself must not hang the pass.
constexpr int kMaxDepth = 64;

bool isWrapper(unsigned tag) {
  switch (tag) {
  case dwarf::DW_TAG_typedef:
  case dwarf::DW_TAG_const_type:
  case dwarf::DW_TAG_volatile_type:
  case dwarf::DW_TAG_restrict_type:
  case dwarf::DW_TAG_atomic_type:
  case dwarf::DW_TAG_template_alias:
    return true;
  default:
    return false;
  }
}

bool isClassTag(unsigned tag) {
  return tag == dwarf::DW_TAG_structure_type || tag == dwarf::DW_TAG_class_type ||
         tag == dwarf::DW_TAG_union_type;
}

// Empty bases and members have size 1 and no storage; they must not hide what lies there.
bool isEmptyClass(const DIType* type) {
  const auto* composite = dyn_cast_or_null<DICompositeType>(type);
  if (!composite || !isClassTag(composite->getTag()) || composite->isForwardDecl())
    return false;
  return none_of(composite->getElements(), [](const DINode* node) {
    const auto* element = dyn_cast<DIDerivedType>(node);
    if (!element || element->isStaticMember())
      return false;
    if (element->getTag() == dwarf::DW_TAG_inheritance)
      return !isEmptyClass(element->getBaseType());
    return element->getTag() == dwarf::DW_TAG_member;
  });
}

// A base that is only declared here: mostly an empty one, such as an allocator.
bool isUnknownBase(const DIDerivedType& element, const DIType* type) {
  return element.getTag() == dwarf::DW_TAG_inheritance && (!type || type->isForwardDecl());
}

} // namespace

std::string withoutTemplateArguments(const std::string& name) {
  std::string result;
  int depth = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    bool isOperator = StringRef(result).ends_with("operator");
    if (name[i] == '<' && !isOperator)
      ++depth;
    else if (name[i] == '>' && depth > 0)
      --depth;
    else if (depth == 0)
      result += name[i];
  }
  return result;
}

namespace {

bool isLibraryName(StringRef name) {
  return name.starts_with("std::") || name.starts_with("__gnu_cxx::") ||
         name.starts_with("boost::");
}

void appendMember(std::string& path, StringRef member) {
  if (member.empty()) // an unnamed union or struct
    return;
  if (!path.empty())
    path += '.';
  path += member;
}

} // namespace

TypeLayout::TypeLayout(const Module& module) {
  DebugInfoFinder finder;
  finder.processModule(module);
  for (const DIType* type : finder.types()) {
    const auto* composite = dyn_cast<DICompositeType>(type);
    if (!composite || composite->isForwardDecl() || !isClassTag(composite->getTag()))
      continue;
    StringRef key =
        composite->getIdentifier().empty() ? composite->getName() : composite->getIdentifier();
    if (!key.empty())
      definitions_.try_emplace(key.str(), composite);
  }
}

const DIType* TypeLayout::strip(const DIType* type) const {
  for (int i = 0; type && isWrapper(type->getTag()) && i < kMaxDepth; ++i)
    type = cast<DIDerivedType>(type)->getBaseType();
  const auto* composite = dyn_cast_or_null<DICompositeType>(type);
  if (!composite || !composite->isForwardDecl())
    return type;
  const DIType* definition =
      find(composite->getIdentifier().empty() ? composite->getName().str()
                                              : composite->getIdentifier().str());
  return definition ? definition : type;
}

const DIType* TypeLayout::find(const std::string& name) const {
  auto found = definitions_.find(name);
  return found == definitions_.end() ? nullptr : found->second;
}

bool TypeLayout::isClass(const DIType* type) const {
  type = strip(type);
  return type && isClassTag(type->getTag());
}

bool TypeLayout::isClosure(const DIType* type) const {
  const auto* composite = dyn_cast_or_null<DICompositeType>(strip(type));
  return composite && composite->getTag() == dwarf::DW_TAG_class_type &&
         composite->getName().empty();
}

bool TypeLayout::isReference(const DIType* type) const {
  type = strip(type);
  return type && (type->getTag() == dwarf::DW_TAG_reference_type ||
                  type->getTag() == dwarf::DW_TAG_rvalue_reference_type);
}

bool TypeLayout::isArray(const DIType* type) const {
  type = strip(type);
  return type && type->getTag() == dwarf::DW_TAG_array_type;
}

const DIType* TypeLayout::pointee(const DIType* type) const {
  type = strip(type);
  if (!type || (type->getTag() != dwarf::DW_TAG_pointer_type && !isReference(type)))
    return nullptr;
  return cast<DIDerivedType>(type)->getBaseType();
}

uint64_t TypeLayout::sizeOf(const DIType* type) const {
  type = strip(type);
  return type ? type->getSizeInBits() / 8 : 0;
}

std::string TypeLayout::name(const DIType* type) const {
  StringRef alias;
  const DIType* inner = type;
  for (int i = 0; inner && isWrapper(inner->getTag()) && i < kMaxDepth; ++i) {
    if (inner->getTag() == dwarf::DW_TAG_typedef)
      alias = inner->getName();
    inner = cast<DIDerivedType>(inner)->getBaseType();
  }
  if (!inner)
    return "";
  if (inner->getName().empty() && !alias.empty())
    return alias.str();
  std::string full = qualifiedName(inner);
  return isLibraryName(full) ? withoutTemplateArguments(full) : full;
}

const DIDerivedType* TypeLayout::elementAt(const DICompositeType& type, int64_t offset) const {
  for (const DINode* node : type.getElements()) {
    const auto* element = dyn_cast<DIDerivedType>(node);
    if (!element || element->isStaticMember() || element->isVirtual())
      continue;
    if (element->getTag() != dwarf::DW_TAG_member && element->getTag() != dwarf::DW_TAG_inheritance)
      continue;
    const DIType* elementType = strip(element->getBaseType());
    if (isEmptyClass(elementType) || isUnknownBase(*element, elementType))
      continue;
    int64_t start = element->getOffsetInBits() / 8;
    uint64_t bits = element->getSizeInBits() ? element->getSizeInBits()
                    : elementType            ? elementType->getSizeInBits()
                                             : 0;
    int64_t end = (element->getOffsetInBits() + bits + 7) / 8;
    bool flexibleArray = bits == 0 && isArray(elementType) && offset >= start;
    if ((offset >= start && offset < end) || flexibleArray)
      return element;
  }
  return nullptr;
}

Part TypeLayout::descend(const DIType* type, Offset offset, Extent extent, bool intoBases) const {
  Part part = {type, offset.bytes, "", type};
  for (int i = 0; i < kMaxDepth; ++i) {
    const auto* current = dyn_cast_or_null<DICompositeType>(strip(part.type));
    if (!current || isReached(*current, offset, extent))
      break;
    if (current->getTag() == dwarf::DW_TAG_array_type)
      enterElement(*current, part, offset);
    else if (!isClassTag(current->getTag()) ||
             !enterMember(*current, part, offset, extent, intoBases))
      break;
  }
  return part;
}

bool TypeLayout::isReached(const DICompositeType& type, const Offset& offset,
                           const Extent& extent) const {
  if (offset.bytes != 0 || offset.members != 0)
    return false;
  bool isArrayType = type.getTag() == dwarf::DW_TAG_array_type;
  uint64_t whole = sizeOf(&type);
  switch (extent.kind) {
  case Extent::Scalar:
    return false;
  case Extent::Range:
    return extent.size == 0 ? !isArrayType || !offset.indexed : extent.size >= whole && whole;
  case Extent::Object:
    return !isArrayType || !offset.indexed;
  }
  return true;
}

void TypeLayout::enterElement(const DICompositeType& array, Part& part, Offset& offset) const {
  for (unsigned d = 0; d < array.getElements().size(); ++d)
    part.path += "[]";
  part.type = array.getBaseType();
  if (uint64_t element = sizeOf(part.type))
    offset.bytes %= static_cast<int64_t>(element);
  offset.indexed = false;
}

bool TypeLayout::enterMember(const DICompositeType& type, Part& part, Offset& offset,
                             const Extent& extent, bool intoBases) const {
  const DIDerivedType* element = elementAt(type, offset.bytes);
  if (!element)
    return false;
  const DIType* elementType = element->getBaseType();
  bool spansMembers = offset.members == 0 && !element->isBitField() && !isArray(elementType) &&
                      extent.size > std::max<uint64_t>(sizeOf(elementType), 1);
  if (spansMembers)
    return false;
  offset.bytes -= element->isBitField() ? offset.bytes : element->getOffsetInBits() / 8;
  part.type = elementType;
  if (element->getTag() == dwarf::DW_TAG_inheritance) {
    if (intoBases && part.path.empty()) {
      part.root = elementType;
      part.rootOffset = offset.bytes;
    }
    return true;
  }
  appendMember(part.path, element->getName());
  offset.members -= offset.members > 0;
  return true;
}

} // namespace heddle::pass
