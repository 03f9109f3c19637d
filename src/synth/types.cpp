#include "synth/types.h"

#include <algorithm>

namespace heddle::synth {

bool isEdge(TypeKind kind) {
  return kind == TypeKind::Pointer || kind == TypeKind::Reference ||
         kind == TypeKind::SharedPointer || isExclusive(kind);
}

bool isExclusive(TypeKind kind) {
  return kind == TypeKind::UniquePointer || kind == TypeKind::RvalueReference;
}

std::string MemberPlace::name() const {
  if (path.empty())
    return declaringClass;
  return declaringClass.empty() ? path : declaringClass + "::" + path;
}

TypeTable::TypeTable() { types_.emplace_back(); }

TypeId TypeTable::add(Type type) {
  types_.push_back(std::move(type));
  return static_cast<TypeId>(types_.size() - 1);
}

TypeId TypeTable::find(const std::string& name) const {
  for (size_t i = 1; i < types_.size(); ++i)
    if (types_[i].name == name)
      return static_cast<TypeId>(i);
  return TypeId::None;
}

bool TypeTable::isA(TypeId derived, TypeId base) const {
  if (derived == base)
    return true;
  const auto& bases = (*this)[derived].bases;
  return std::ranges::any_of(bases, [&](const Field& one) { return isA(one.type, base); });
}

bool TypeTable::isBaseAt(TypeId complete, uint64_t offset, TypeId base) const {
  if (offset == 0 && complete == base)
    return true;
  return std::ranges::any_of((*this)[complete].bases, [&](const Field& one) {
    return one.offset <= offset && isBaseAt(one.type, offset - one.offset, base);
  });
}

std::optional<Field> TypeTable::fieldAt(const Type& type, uint64_t offset) const {
  std::optional<Field> found;
  for (const Field& field : type.fields) {
    uint64_t size = (*this)[field.type].size;
    bool within = field.offset <= offset && (size == 0 || offset < field.offset + size);
    if (within && (!found || found->offset <= field.offset))
      found = field;
  }
  return found;
}

/// A member of a base class is named by that class, and found at its place in it.
void TypeTable::enterBases(TypeId& type, uint64_t& offset) const {
  for (bool entered = true; entered;) {
    entered = false;
    for (const Field& base : (*this)[type].bases) {
      uint64_t size = (*this)[base.type].size;
      bool within = base.offset <= offset && offset < base.offset + size;
      if (!within || fieldAt((*this)[type], offset))
        continue;
      offset -= base.offset;
      type = base.type;
      entered = true;
      break;
    }
  }
}

MemberPlace TypeTable::memberAt(TypeId type, uint64_t offset) const {
  MemberPlace place;
  uint64_t passed = 0;
  while ((*this)[type].kind == TypeKind::Class) {
    uint64_t before = offset;
    enterBases(type, offset);
    passed += before - offset;
    if (place.path.empty())
      place.declaringClass = (*this)[type].name;
    std::optional<Field> field = fieldAt((*this)[type], offset);
    if (!field) {
      if (offset != 0 || (*this)[type].fields.empty())
        place.path += (place.path.empty() ? "+" : ".+") + std::to_string(offset);
      place.type = TypeId::None;
      place.offset = passed + offset;
      return place;
    }
    place.path += (place.path.empty() ? "" : ".") + field->name;
    passed += field->offset;
    offset -= field->offset;
    type = field->type;
  }
  place.type = type;
  place.offset = passed;
  if (place.path.empty())
    place.declaringClass = (*this)[type].name;
  return place;
}

} // namespace heddle::synth
