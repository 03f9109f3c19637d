#pragma once

#include "static/ir/type_layouts.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

/// Which types objects have, by where they are made: what debug information says of variables,
/// temporaries and allocators.
namespace heddle::analysis {

/// The variable of the source that an alloca is; null for a temporary.
const llvm::DILocalVariable* declaredVariable(const llvm::AllocaInst& local);

/// The type of the objects that a global, an alloca or an allocating call makes (for an array: of
/// its elements); null when it is not known.
const llvm::DIType* objectType(const llvm::Value& site);

/// What `allocate` of a class that meets C++'s requirements for allocators makes; null for all
/// other functions, and for the library's own, which call operator new. Where its memory comes from
/// does not matter: nobody uses it for anything else until it is given back.
const llvm::DIType* allocatedType(const llvm::Function& function);

/// The class whose constructor the function is; null for other functions.
const llvm::DICompositeType* constructedClass(const llvm::Function& function);

/// Whether the object that is made there has characters in it and nothing else: the memory of a
/// string, or a variable that is an array of char in C++ and not aligned for something else.
bool isTextObject(const llvm::Value& site);

} // namespace heddle::analysis
