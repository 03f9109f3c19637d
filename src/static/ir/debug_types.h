#pragma once

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"

/// Types as debug information has them, and what a value of one can hold.
namespace heddle::analysis {

/// Without typedefs, qualifiers, and what the library wraps around an object to begin its life
/// later.
const llvm::DIType* strippedType(const llvm::DIType* type);
bool isClass(const llvm::DIType* type);
/// The class that a pointer or reference leads to; null for other types.
const llvm::DICompositeType* pointeeClass(const llvm::DIType* type);
/// Whether it is a pointer or a reference.
bool isPointer(const llvm::DIDerivedType& type);
bool isCharacter(const llvm::DIType* type);
bool isPointerToText(const llvm::DIType* type);
/// The type that a template is instantiated for, if its first argument is one; else null.
const llvm::DIType* firstTemplateArgument(const llvm::DICompositeType& type);
const llvm::DIType* firstTemplateArgument(const llvm::DIType* type);

/// What a pointer or a part of memory can hold.
struct CellContent {
  enum class Kind : uint8_t {
    Anything,
    Number,   ///< no address
    Vtable,   ///< the address of a vtable
    Function, ///< of a function
    Text,     ///< of characters
    OwnText,  ///< of a string's characters: they are on the heap or in the string itself
    Address,  ///< of an address
    Scalar,   ///< of a number of more than a byte
    Object,   ///< of an object of the class `pointee`
  };
  Kind kind = Kind::Anything;
  const llvm::DICompositeType* pointee = nullptr;
};

/// What a value of a type can hold. In C, where casts between structs are common, a pointer to one
/// can hold anything.
CellContent contentOf(const llvm::DIType* type);
CellContent parameterContent(const llvm::Function& function, unsigned parameter);

/// Whether a function of the library gets pointers to characters only: what it copies is text.
bool copiesText(const llvm::Function& function);

} // namespace heddle::analysis
