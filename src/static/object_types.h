#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

/// What debug information says of the types of objects and parameters. A pointer to a class can
/// only point at an object of that class, or at the part of a larger one that is of it: this keeps
/// pointers that passed through untyped code (registries, queues of base classes) from reaching
/// functions of other classes.
namespace heddle::analysis {

/// Without typedefs and qualifiers.
const llvm::DIType* strippedType(const llvm::DIType* type);
bool isClass(const llvm::DIType* type);
/// The class that a pointer or reference leads to; null for other types.
const llvm::DICompositeType* pointeeClass(const llvm::DIType* type);

/// The class that a parameter points or refers to; null for anything else, and in C, where casts
/// between structs are common.
const llvm::DICompositeType* parameterClass(const llvm::Function& function, unsigned parameter);

/// The type of the objects that a global, an alloca or an allocating call makes (for an array: of
/// its elements); null when it is not known.
const llvm::DIType* objectType(const llvm::Value& site);

/// Answers whether a class can be found at an offset in an object of a type.
class TypeLayouts {
public:
  /// True when it is not known that it can not.
  bool mayHold(const llvm::DIType* type, uint64_t offset, const llvm::DICompositeType* wanted);

  /// Where the innermost array of elements of `stride` bytes around the offset ends; 0: there is
  /// none.
  uint64_t arrayEnd(const llvm::DIType* type, uint64_t offset, uint64_t stride);

  /// Where the largest part that begins at the offset ends, or the array around it; 0: not known.
  uint64_t partEnd(const llvm::DIType* type, uint64_t offset);

private:
  using Key = std::pair<std::pair<const llvm::DIType*, const llvm::DIType*>, uint64_t>;
  llvm::DenseMap<Key, bool> known_;
};

} // namespace heddle::analysis
