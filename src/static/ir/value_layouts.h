#pragma once

#include "static/ir/debug_types.h"

#include "llvm/IR/DataLayout.h"

/// What lies where in values of the IR's types: for variables that debug information does not know.
namespace heddle::analysis {

inline constexpr uint32_t kWord = 8; ///< addresses are aligned to it

/// In bytes; 0: not known.
uint64_t sizeOf(llvm::Type* type, const llvm::DataLayout& layout);
/// What can be stored at an offset.
CellContent contentIn(llvm::Type* type, uint64_t offset, const llvm::DataLayout& layout);
/// Where the number, pointer or byte begins that the offset is in.
uint64_t scalarStartIn(llvm::Type* type, uint64_t offset, const llvm::DataLayout& layout);
/// Whether there is an array around the offset that a pointer can be moved in.
bool mayWalkIn(llvm::Type* type, uint64_t offset, uint64_t stride, const llvm::DataLayout& layout);

} // namespace heddle::analysis
