#pragma once

#include <map>
#include <string>

namespace llvm {
class DICompositeType;
class DIDerivedType;
class DIType;
class Module;
} // namespace llvm

namespace heddle::pass {

/// A place inside an object: how far an address computation went.
struct Offset {
  int64_t bytes = 0;
  unsigned members = 0; ///< member selections, which tell a class from its first member
  bool indexed = false; ///< an element was selected
};

/// How much of it is meant.
struct Extent {
  enum Kind : uint8_t {
    Scalar, ///< one load or store: goes into a class down to the member that can hold it
    Range,  ///< a copy: ends at a class of this size
    Object, ///< a pointer that is passed on: ends where the offset does
  };
  Kind kind = Object;
  uint64_t size = 0; ///< bytes; 0 if not known
};

/// What lies at an offset.
struct Part {
  const llvm::DIType* root = nullptr; ///< the class that `path` starts in: a base class, maybe
  int64_t rootOffset = 0;             ///< bytes from the start of `root`
  std::string path;                   ///< "stats.hits", "table[]"; empty: the whole object
  const llvm::DIType* type = nullptr;
};

/// "std::vector" of "std::vector<int>".
std::string withoutTemplateArguments(const std::string& name);

/// Reads the debug information's types as memory layouts.
class TypeLayout {
public:
  explicit TypeLayout(const llvm::Module& module);

  /// Without typedefs and qualifiers; the definition of a class that is only declared here.
  const llvm::DIType* strip(const llvm::DIType* type) const;
  bool isClass(const llvm::DIType* type) const;
  bool isClosure(const llvm::DIType* type) const;
  bool isReference(const llvm::DIType* type) const;
  bool isArray(const llvm::DIType* type) const;
  /// What a pointer or reference points at; null for other types.
  const llvm::DIType* pointee(const llvm::DIType* type) const;
  uint64_t sizeOf(const llvm::DIType* type) const;

  /// "bank::Account"; the typedef's name of an unnamed struct. Template arguments of library
  /// classes are left out.
  std::string name(const llvm::DIType* type) const;

  /// The class of this mangled (C++) or plain (C) name; null if its definition is not here.
  const llvm::DIType* find(const std::string& name) const;

  /// The part of `type` that is meant. A base class becomes the root if `intoBases`.
  Part descend(const llvm::DIType* type, Offset offset, Extent extent, bool intoBases) const;

private:
  bool isReached(const llvm::DICompositeType& type, const Offset& offset,
                 const Extent& extent) const;
  void enterElement(const llvm::DICompositeType& array, Part& part, Offset& offset) const;
  bool enterMember(const llvm::DICompositeType& type, Part& part, Offset& offset,
                   const Extent& extent, bool intoBases) const;
  const llvm::DIDerivedType* elementAt(const llvm::DICompositeType& type, int64_t offset) const;

  std::map<std::string, const llvm::DICompositeType*> definitions_;
};

} // namespace heddle::pass
