#pragma once

#include "static/ir/debug_types.h"

#include "llvm/ADT/DenseMap.h"

/// What debug information says of types: what lies where in them, and what it can hold. A pointer
/// to a class can only point at an object of that class, or at the part of a larger one that is of
/// it: this keeps pointers that passed through untyped code (registries, queues of base classes)
/// from reaching functions of other classes.
namespace heddle::analysis {

/// Answers whether a class can be found at an offset in an object of a type.
class TypeLayouts {
public:
  /// True when it is not known that it cannot.
  bool mayHold(const llvm::DIType* type, uint64_t offset, const llvm::DICompositeType* wanted);

  /// What can be stored at an offset in an object of a type.
  CellContent contentAt(const llvm::DIType* type, uint64_t offset);

  /// Whether something that can hold an address begins there although it is not aligned for one: in
  /// packed structs.
  bool isPacked(const llvm::DIType* type, uint64_t offset);

  /// Whether characters can be found there. True when it is not known that they cannot.
  bool mayHoldText(const llvm::DIType* type, uint64_t offset);

  /// Whether it is in a std::string, whose short text lies in itself.
  bool isInString(const llvm::DIType* type, uint64_t offset);

  /// Whether the address that is kept there is that of memory which one object of the library owns
  /// alone: in a unique_ptr, a string, a container or its nodes.
  bool isOwner(const llvm::DIType* type, uint64_t offset);

  /// Whether a pointer to the offset can be moved by a number of elements of `stride` bytes: there
  /// is an array around it. True when it is not known that there is none.
  bool mayWalk(const llvm::DIType* type, uint64_t offset, uint64_t stride);

  /// Where the number, pointer or byte begins that the offset is in: nothing smaller is told apart.
  uint64_t scalarStart(const llvm::DIType* type, uint64_t offset);

  /// The innermost array around the offset; without one, a stride of 0.
  struct Row {
    uint64_t begin = 0, end = 0, stride = 0;
  };
  Row rowAround(const llvm::DIType* type, uint64_t offset);

  /// Where the innermost array of elements of `stride` bytes around the offset ends; 0: there is
  /// none.
  uint64_t arrayEnd(const llvm::DIType* type, uint64_t offset, uint64_t stride);

  /// Where the outermost array or union around the offset ends in which a pointer can be moved by
  /// `stride` bytes; 0: there is none.
  uint64_t walkEnd(const llvm::DIType* type, uint64_t offset, uint64_t stride);

  /// Where the largest part that begins at the offset ends, or the array around it; 0: not known.
  uint64_t partEnd(const llvm::DIType* type, uint64_t offset);

private:
  CellContent findContent(const llvm::DIType* type, uint64_t offset);
  CellContent memberContent(const llvm::DICompositeType& type, uint64_t offset);

  static constexpr int64_t kNoRoom = -1, kAnyRoom = INT64_MAX;

  /// What can be found at an offset: classes, and any class of up to so many bits.
  struct Holding {
    llvm::SmallVector<const llvm::DICompositeType*, 2> classes = {};
    int64_t room = kNoRoom;

    void add(const Holding& other);
  };
  Holding holdingAt(const llvm::DIType* type, uint64_t offset);
  Holding holdingOf(const llvm::DICompositeType& type, uint64_t offset);

  using Place = std::pair<const llvm::DIType*, uint64_t>;
  llvm::DenseMap<Place, CellContent> contents_;
  // By place alone: answers for each class that is asked for would be as many as pairs of classes.
  llvm::DenseMap<Place, Holding> holdings_;
};

} // namespace heddle::analysis
