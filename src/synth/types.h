#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::synth {

/// Index into a TypeTable; 0 means "not known".
enum class TypeId : uint32_t { None = 0 };

enum class TypeKind : uint8_t {
  Unknown,
  Void,
  Bool,
  Integer,
  Float,
  Enum,
  String,          ///< std::string: a value, whatever it has inside
  Class,           ///< members by value belong to their owner
  Pointer,         ///< an edge to an object, as the next two
  Reference,       ///< T&, const T&
  SharedPointer,   ///< std::shared_ptr
  UniquePointer,   ///< an edge that only one owner can have, as the next one
  RvalueReference, ///< T&&
  Container,       ///< of the standard library: what it allocates belongs to it
  Lock,            ///< std::mutex, std::shared_mutex, pthread_mutex_t: its address is a lock
};

struct Field {
  std::string name;
  uint64_t offset = 0;
  TypeId type = TypeId::None;
};

struct Enumerator {
  std::string name; ///< as C++ spells it: "Colour::Red"
  int64_t value = 0;
};

struct Type {
  TypeKind kind = TypeKind::Unknown;
  std::string name; ///< as C++ spells it, with its namespaces; one type per instantiation
  uint64_t size = 0;
  TypeId target = TypeId::None; ///< of edges what they lead to, of containers the element
  bool constTarget = false;     ///< const T&, const T*
  bool isAbstract = false;      ///< no object can be made of it
  std::vector<Field> fields;    ///< of classes
  std::vector<Field> bases;     ///< of classes; the names are not used
  std::vector<Enumerator> enumerators;
};

/// Whether a value of this kind leads to another object.
bool isEdge(TypeKind kind);
/// Whether only one owner can have such an edge to an object.
bool isExclusive(TypeKind kind);

/// A member of an object, by value all the way.
struct MemberPlace {
  std::string path;           ///< "stats_.hits"; empty: the object itself
  std::string declaringClass; ///< of the first step: the base class of an inherited member
  TypeId type = TypeId::None; ///< of the member, where it is known
  uint64_t offset = 0;        ///< where the member begins in the object
  std::string name() const;   ///< "Account::balance"
  bool operator==(const MemberPlace&) const = default;
};

class TypeTable {
public:
  TypeTable();

  TypeId add(Type type);
  const Type& operator[](TypeId id) const { return types_[static_cast<uint32_t>(id)]; }
  Type& at(TypeId id) { return types_[static_cast<uint32_t>(id)]; }
  size_t size() const { return types_.size(); }
  TypeId find(const std::string& name) const;

  /// Whether it is `base` or a class derived from it.
  bool isA(TypeId derived, TypeId base) const;
  /// Whether a subobject `base` of `complete` begins at the offset: itself or a base class, but not
  /// a member, which is an object of its own name.
  bool isBaseAt(TypeId complete, uint64_t offset, TypeId base) const;
  /// What lies at the offset: goes down into members that are classes, and stops at every other
  /// kind. Unknown places are named by their offset, so that equal places have equal names.
  MemberPlace memberAt(TypeId type, uint64_t offset) const;

private:
  std::optional<Field> fieldAt(const Type& type, uint64_t offset) const;
  void enterBases(TypeId& type, uint64_t& offset) const;

  std::vector<Type> types_;
};

} // namespace heddle::synth
