#include "static/ir/type_layouts.h"

#include "static/ir/standard_library.h"

#include "llvm/BinaryFormat/Dwarf.h"

using namespace llvm;

namespace heddle::analysis {
namespace {

bool isSameClass(const DICompositeType* one, const DICompositeType* other) {
  return one == other ||
         (!one->getIdentifier().empty() && one->getIdentifier() == other->getIdentifier());
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

/// Calls visit(type, where it begins) for members and bases around an offset; of a union several.
template <typename Visit>
void eachPartAt(const DICompositeType& type, uint64_t offset, Visit visit) {
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

} // namespace

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
      return {isStringPointer(type) ? CellContent::Kind::OwnText : CellContent::Kind::Text,
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
  if (isStringClass(*composite))
    return true;
  uint64_t size = composite->getSizeInBits() / 8;
  bool inside = false;
  if (size)
    eachPartAt(*composite, offset % size, [&](const DIType& part, uint64_t begin) {
      inside = inside || isInString(&part, offset % size - begin);
    });
  return inside;
}

bool TypeLayouts::isOwner(const DIType* type, uint64_t offset) {
  type = strippedType(type);
  if (const DICompositeType* pointee = pointeeClass(type)) // in a table of buckets
    return offset == 0 && isStandard(*pointee) && isHashNode(*pointee);
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
  if (isStandard(*composite) && (isOwnerClass(*composite) ||
                                 (isHashTable(*composite) && offset == 0))) // the table of buckets
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
