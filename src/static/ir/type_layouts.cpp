#include "static/ir/type_layouts.h"

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
  else if (StringRef name = composite->getName();
           name.starts_with("__aligned_membuf<") || name.starts_with("__aligned_buffer<"))
    stored = firstTemplateArgument(*composite);
  return stored && stored->getSizeInBits() == composite->getSizeInBits() ? stored : nullptr;
}

bool isSameClass(const DICompositeType* one, const DICompositeType* other) {
  return one == other ||
         (!one->getIdentifier().empty() && one->getIdentifier() == other->getIdentifier());
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

bool isPointerToText(const DIType* type) {
  auto* pointer = dyn_cast_or_null<DIDerivedType>(strippedType(type));
  return pointer && isPointer(*pointer) && isCharacter(pointer->getBaseType());
}

/// Whether it is an array of characters for text. One that is aligned is room for something else.
bool isTextArray(const DIDerivedType& member) {
  auto* array = dyn_cast_or_null<DICompositeType>(strippedType(member.getBaseType()));
  return array && array->getTag() == dwarf::DW_TAG_array_type && member.getAlignInBits() == 0 &&
         isCharacter(array->getBaseType());
}

/// Whether it is one of the C library's types for threads (a mutex, a condition variable): nobody
/// makes something else in it.
bool isThreadUnion(const DICompositeType& type) {
  return type.getTag() == dwarf::DW_TAG_union_type &&
         any_of(type.getElements(), [](const DINode* node) {
           auto* member = dyn_cast<DIDerivedType>(node);
           return member && member->getName() == "__size" &&
                  member->getFilename().contains("pthreadtypes");
         });
}

/// Whether all members of a union are numbers or text. Only the library's are used for nothing
/// else.
bool hasOnlyNumbers(const DICompositeType& type) {
  for (const DINode* node : type.getElements())
    if (auto* member = dyn_cast<DIDerivedType>(node); member && !member->isStaticMember())
      if (!isa_and_nonnull<DIBasicType>(strippedType(member->getBaseType())) &&
          !isTextArray(*member))
        return false;
  return true;
}

} // namespace

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

bool isStandard(const DICompositeType& type) {
  StringRef name = type.getIdentifier();
  return name.starts_with("_ZTSSt") || name.starts_with("_ZTSNSt") ||
         name.starts_with("_ZTSN9__gnu_cxx");
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

bool copiesText(const Function& function) {
  StringRef name = function.getName();
  const DISubprogram* subprogram = function.getSubprogram();
  if (!subprogram || !subprogram->getType() ||
      !(name.starts_with("_ZSt") || name.starts_with("_ZNSt") || name.starts_with("_ZN9__gnu_cxx")))
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

bool TypeLayouts::mayHold(const DIType* type, uint64_t offset, const DICompositeType* wanted) {
  const Holding held = holdingAt(type, offset);
  return held.room >= static_cast<int64_t>(wanted->getSizeInBits()) ||
         any_of(held.classes,
                [&](const DICompositeType* each) { return isSameClass(each, wanted); });
}

void TypeLayouts::Holding::add(const Holding& other) {
  room = std::max(room, other.room);
  classes.append(other.classes.begin(), other.classes.end());
}

TypeLayouts::Holding TypeLayouts::holdingAt(const DIType* type, uint64_t offset) {
  type = strippedType(type);
  if (!type)
    return {.room = kAnyRoom};
  auto* composite = dyn_cast<DICompositeType>(type);
  if (!composite) {
    bool isByte = type->getTag() == dwarf::DW_TAG_base_type && type->getSizeInBits() <= 8 &&
                  !type->getName().contains("bool");
    return {.room = isByte ? kAnyRoom : kNoRoom}; // bytes are room for anything
  }
  int64_t behind =
      static_cast<int64_t>(composite->getSizeInBits()) - static_cast<int64_t>(offset * 8);
  if (composite->getTag() == dwarf::DW_TAG_union_type)
    return {.room = isThreadUnion(*composite) ? kNoRoom : std::max(behind, kNoRoom)};
  if (composite->getTag() == dwarf::DW_TAG_array_type) {
    const DIType* element = strippedType(composite->getBaseType());
    uint64_t bytes = element ? element->getSizeInBits() / 8 : 0;
    if (bytes == 0)
      return {.room = kAnyRoom};
    Holding held = holdingAt(element, offset % bytes);
    if (bytes == 1)
      held.room = std::min(held.room, std::max(behind, kNoRoom));
    return held;
  }
  if (!isClass(composite))
    return {}; // an enumeration
  if (composite->isForwardDecl())
    return {.room = kAnyRoom};
  uint64_t size = composite->getSizeInBits() / 8;
  if (size && offset >= size)
    offset %= size; // an array of them
  if (auto found = holdings_.find({type, offset}); found != holdings_.end())
    return found->second;
  Holding held = holdingOf(*composite, offset);
  holdings_[{type, offset}] = held;
  return held;
}

/// The class itself, and what its parts around the offset hold there.
TypeLayouts::Holding TypeLayouts::holdingOf(const DICompositeType& type, uint64_t offset) {
  Holding held;
  if (offset == 0)
    held.classes.push_back(&type);
  for (const DINode* element : type.getElements()) {
    auto* part = dyn_cast<DIDerivedType>(element);
    if (!part || part->isStaticMember())
      continue;
    if (part->getTag() == dwarf::DW_TAG_inheritance && part->isVirtual())
      return {.room = kAnyRoom}; // where a virtual base lies is not fixed
    if (part->getTag() != dwarf::DW_TAG_member && part->getTag() != dwarf::DW_TAG_inheritance)
      continue;
    uint64_t begin = part->getOffsetInBits() / 8;
    const DIType* base = strippedType(part->getBaseType());
    uint64_t bytes = base ? std::max<uint64_t>(base->getSizeInBits() / 8, 1) : 1;
    if (offset >= begin && offset < begin + bytes)
      held.add(holdingAt(base, offset - begin));
  }
  return held;
}

CellContent TypeLayouts::contentAt(const DIType* type, uint64_t offset) {
  if (auto found = contents_.find({type, offset}); found != contents_.end())
    return found->second;
  CellContent content = findContent(type, offset);
  contents_[{type, offset}] = content;
  return content;
}

CellContent TypeLayouts::findContent(const DIType* type, uint64_t offset) {
  type = strippedType(type);
  auto* composite = dyn_cast_or_null<DICompositeType>(type);
  if (!composite)
    return offset == 0 ? contentOf(type) : CellContent{CellContent::Kind::Number, nullptr};
  if (composite->getTag() == dwarf::DW_TAG_enumeration_type)
    return contentOf(type);
  if (composite->isForwardDecl())
    return {};
  if (composite->getTag() == dwarf::DW_TAG_array_type) {
    const DIType* element = strippedType(composite->getBaseType());
    uint64_t bytes = element ? element->getSizeInBits() / 8 : 0;
    return bytes > 1 ? findContent(element, offset % bytes) : CellContent{};
  }
  if (composite->getTag() == dwarf::DW_TAG_union_type &&
      ((isStandard(*composite) && hasOnlyNumbers(*composite)) || isThreadUnion(*composite)))
    return {CellContent::Kind::Number, nullptr};
  uint64_t size = composite->getSizeInBits() / 8;
  if (!isClass(composite) || size == 0)
    return {}; // of a union's members each can be meant
  return memberContent(*composite, offset % size);
}

CellContent TypeLayouts::memberContent(const DICompositeType& type, uint64_t offset) {
  for (const DINode* node : type.getElements()) {
    auto* part = dyn_cast<DIDerivedType>(node);
    if (!part || part->isStaticMember() || part->isBitField() || part->isVirtual() ||
        (part->getTag() != dwarf::DW_TAG_member && part->getTag() != dwarf::DW_TAG_inheritance))
      continue;
    uint64_t begin = part->getOffsetInBits() / 8;
    if (offset == begin && part->isArtificial() && part->getName().starts_with("_vptr"))
      return {CellContent::Kind::Vtable, nullptr};
    const DIType* base = strippedType(part->getBaseType());
    uint64_t bytes = base ? base->getSizeInBits() / 8 : 0;
    if (offset < begin || offset >= begin + bytes)
      continue;
    if (isTextArray(*part))
      return {CellContent::Kind::Number, nullptr};
    if (offset == begin && isStandard(type) && isPointerToText(base))
      return {type.getName() == "_Alloc_hider" ? CellContent::Kind::OwnText
                                               : CellContent::Kind::Text,
              nullptr};
    if (isa_and_nonnull<DIBasicType>(base) && isStandard(type) &&
        !type.getName().contains("atomic"))
      return {CellContent::Kind::Number, nullptr};
    CellContent inner = findContent(base, offset - begin);
    // One byte may be an empty class, beside which another part lies.
    if (inner.kind != CellContent::Kind::Anything || bytes > 1)
      return inner;
  }
  return {};
}

bool TypeLayouts::isPacked(const DIType* type, uint64_t offset) {
  type = strippedType(type);
  uint64_t size = type ? type->getSizeInBits() / 8 : 0;
  auto* composite = dyn_cast_or_null<DICompositeType>(type);
  if (size < 8)
    return false;
  if (!composite || composite->getTag() == dwarf::DW_TAG_union_type)
    return offset == 0;
  if (composite->getTag() == dwarf::DW_TAG_array_type) {
    const DIType* element = strippedType(composite->getBaseType());
    uint64_t bytes = element ? element->getSizeInBits() / 8 : 0;
    return bytes && isPacked(element, offset % bytes);
  }
  bool packed = false;
  eachPartAt(*composite, offset % size, [&](const DIType& part, uint64_t begin) {
    packed = packed || isPacked(&part, offset % size - begin);
  });
  return packed;
}

bool TypeLayouts::mayHoldText(const DIType* type, uint64_t offset) {
  type = strippedType(type);
  auto* composite = dyn_cast_or_null<DICompositeType>(type);
  if (!composite)
    return !type || isCharacter(type) || (isa<DIBasicType>(type) && type->getSizeInBits() <= 8);
  if (composite->isForwardDecl())
    return true;
  if (composite->getTag() == dwarf::DW_TAG_array_type) {
    const DIType* element = strippedType(composite->getBaseType());
    uint64_t bytes = element ? element->getSizeInBits() / 8 : 0;
    return bytes == 0 || mayHoldText(element, offset % bytes);
  }
  uint64_t size = composite->getSizeInBits() / 8;
  if (composite->getTag() == dwarf::DW_TAG_enumeration_type || size == 0)
    return false;
  bool holds = false;
  eachPartAt(*composite, offset % size, [&](const DIType& part, uint64_t begin) {
    holds = holds || mayHoldText(&part, offset % size - begin);
  });
  return holds;
}

bool TypeLayouts::isInString(const DIType* type, uint64_t offset) {
  auto* composite = dyn_cast_or_null<DICompositeType>(strippedType(type));
  if (!composite || composite->isForwardDecl())
    return false;
  if (composite->getTag() == dwarf::DW_TAG_array_type) {
    const DIType* element = strippedType(composite->getBaseType());
    uint64_t bytes = element ? element->getSizeInBits() / 8 : 0;
    return bytes > 1 && isInString(element, offset % bytes);
  }
  if (composite->getIdentifier().starts_with("_ZTSNSt7__cxx1112basic_stringI"))
    return true;
  uint64_t size = composite->getSizeInBits() / 8;
  bool inside = false;
  if (size)
    eachPartAt(*composite, offset % size, [&](const DIType& part, uint64_t begin) {
      inside = inside || isInString(&part, offset % size - begin);
    });
  return inside;
}

/// Whether a class of the library is all addresses of what it owns.
static bool isOwnerClass(const DICompositeType& type) {
  StringRef name = type.getName();
  return name == "_Vector_impl_data" || name == "_Deque_impl_data" || name == "_Alloc_hider" ||
         name == "_List_node_base" || name == "_Rb_tree_node_base" || name == "_Hash_node_base" ||
         (name.starts_with("unique_ptr<") && type.getSizeInBits() == 64); // the deleter is empty
}

bool TypeLayouts::isOwner(const DIType* type, uint64_t offset) {
  type = strippedType(type);
  if (const DICompositeType* pointee = pointeeClass(type)) // in a table of buckets
    return offset == 0 && isStandard(*pointee) && pointee->getName() == "_Hash_node_base";
  auto* composite = dyn_cast_or_null<DICompositeType>(type);
  uint64_t size = composite ? composite->getSizeInBits() / 8 : 0;
  if (size == 0 || composite->isForwardDecl())
    return false;
  if (composite->getTag() == dwarf::DW_TAG_array_type) {
    const DIType* element = strippedType(composite->getBaseType());
    uint64_t bytes = element ? element->getSizeInBits() / 8 : 0;
    return bytes > 1 && isOwner(element, offset % bytes);
  }
  if (!isClass(composite))
    return false;
  if (isStandard(*composite) &&
      (isOwnerClass(*composite) ||
       (composite->getName().starts_with("_Hashtable<") && offset == 0))) // the table of buckets
    return true;
  bool owns = false;
  eachPartAt(*composite, offset, [&](const DIType& part, uint64_t begin) {
    owns = owns || isOwner(&part, offset - begin);
  });
  return owns;
}

/// Whether an array around the offset has elements that `stride` is a multiple of.
static bool isInArray(const DIType* type, uint64_t offset, uint64_t stride) {
  auto* composite = dyn_cast_or_null<DICompositeType>(strippedType(type));
  if (!composite || composite->getTag() == dwarf::DW_TAG_enumeration_type)
    return false;
  if (composite->isForwardDecl() || composite->getTag() == dwarf::DW_TAG_union_type)
    return true;
  if (composite->getTag() == dwarf::DW_TAG_array_type) {
    const DIType* element = strippedType(composite->getBaseType());
    uint64_t bytes = element ? element->getSizeInBits() / 8 : 0;
    return bytes == 0 || stride % bytes == 0 || isInArray(element, offset % bytes, stride);
  }
  bool inside = false;
  eachPartAt(*composite, offset, [&](const DIType& part, uint64_t begin) {
    inside = inside || isInArray(&part, offset - begin, stride);
  });
  return inside;
}

bool TypeLayouts::mayWalk(const DIType* type, uint64_t offset, uint64_t stride) {
  type = strippedType(type);
  uint64_t size = type ? type->getSizeInBits() / 8 : 0;
  return size == 0 || stride % size == 0 || isInArray(type, offset % size, stride);
}

uint64_t TypeLayouts::scalarStart(const DIType* type, uint64_t offset) {
  type = strippedType(type);
  uint64_t size = type ? type->getSizeInBits() / 8 : 0;
  if (size == 0)
    return offset;
  uint64_t start = offset / size * size; // of the element, in an array
  auto* composite = dyn_cast<DICompositeType>(type);
  if (!composite || composite->getTag() == dwarf::DW_TAG_enumeration_type)
    return start;
  if (composite->getTag() == dwarf::DW_TAG_array_type) {
    const DIType* element = strippedType(composite->getBaseType());
    return element ? start + scalarStart(element, offset - start) : offset;
  }
  if (composite->isForwardDecl())
    return offset;
  // In a union each member can be meant: the smallest counts.
  std::optional<uint64_t> best;
  eachPartAt(*composite, offset - start, [&](const DIType& part, uint64_t begin) {
    uint64_t at = start + begin + scalarStart(&part, offset - start - begin);
    best = std::max(best.value_or(0), at);
  });
  return best.value_or(offset);
}

TypeLayouts::Row TypeLayouts::rowAround(const DIType* type, uint64_t offset) {
  auto* composite = dyn_cast_or_null<DICompositeType>(strippedType(type));
  uint64_t size = composite ? composite->getSizeInBits() / 8 : 0;
  if (size == 0 || composite->isForwardDecl() || offset >= size || isThreadUnion(*composite))
    return {}; // a mutex is one thing, and a row of bytes to nobody
  if (composite->getTag() == dwarf::DW_TAG_array_type) {
    const DIType* element = strippedType(composite->getBaseType());
    uint64_t bytes = element ? element->getSizeInBits() / 8 : 0;
    if (bytes == 0 || (bytes == 1 && !isCharacter(element)))
      return {}; // bytes are room for something
    uint64_t start = offset / bytes * bytes;
    Row inner = rowAround(element, offset - start);
    return inner.stride ? Row{start + inner.begin, start + inner.end, inner.stride}
                        : Row{0, size, bytes};
  }
  Row found;
  if (isClass(composite) || composite->getTag() == dwarf::DW_TAG_union_type)
    eachPartAt(*composite, offset, [&](const DIType& part, uint64_t begin) {
      if (Row inner = rowAround(&part, offset - begin); inner.stride && !found.stride)
        found = {begin + inner.begin, begin + inner.end, inner.stride};
    });
  return found;
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

uint64_t TypeLayouts::walkEnd(const DIType* type, uint64_t offset, uint64_t stride) {
  auto* composite = dyn_cast_or_null<DICompositeType>(strippedType(type));
  if (!composite || composite->getTag() == dwarf::DW_TAG_enumeration_type)
    return 0;
  uint64_t size = composite->getSizeInBits() / 8;
  if (composite->isForwardDecl())
    return UINT64_MAX;
  if (composite->getTag() == dwarf::DW_TAG_union_type)
    return size;
  if (composite->getTag() == dwarf::DW_TAG_array_type) {
    const DIType* element = strippedType(composite->getBaseType());
    uint64_t bytes = element ? element->getSizeInBits() / 8 : 0;
    if (bytes == 0 || stride % bytes == 0 || bytes % stride == 0)
      return size ? size : UINT64_MAX;
    uint64_t start = offset / bytes * bytes;
    uint64_t end = walkEnd(element, offset - start, stride);
    return end && end != UINT64_MAX ? start + end : end;
  }
  uint64_t best = 0;
  eachPartAt(*composite, offset, [&](const DIType& part, uint64_t begin) {
    if (uint64_t end = walkEnd(&part, offset - begin, stride))
      best = std::max(best, end == UINT64_MAX ? end : begin + end);
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
