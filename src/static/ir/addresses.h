#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

#include <cstdint>

/// What the IR says of addresses: how they are computed, which constants are some, and which values
/// can carry one.
namespace heddle::analysis {

/// How an address follows from another: `offset` bytes further, then any multiple of `stride`
/// (0: none) below `extent` (0: not known).
struct Step {
  int64_t offset = 0;
  uint32_t stride = 0;
  uint32_t extent = 0;
  bool backward = false;              ///< the multiples can be negative: elements before it
  const llvm::Value* index = nullptr; ///< what the stride is multiplied with, if it is one value

  bool isZero() const { return offset == 0 && stride == 0; }
};

/// The address of a part of a global variable or function.
struct ConstantAddress {
  const llvm::GlobalValue* global;
  Step step;
};

/// Whether values of the type can carry an address in the constraints, or the number of an
/// iteration of a loop, which tells the elements that threads are given apart.
bool carriesAddress(llvm::Type* type);

/// The step of a GEP's indices.
Step stepOf(const llvm::GEPOperator& gep, const llvm::DataLayout& layout);

/// Whether an index is what a pointer to a member function adds to `this`: not zero for members of
/// a second base class only.
bool isMemberAdjustment(const llvm::Value* index);
/// Whether the module has such pointers.
bool adjustsMembers(const llvm::Module& module);

/// Whether the global is a vtable (of Itanium's ABI).
bool isVtable(const llvm::GlobalValue& global);

/// Whether the function has code that belongs to the program: not a copy of a library's.
bool hasBody(const llvm::Function& function);

/// Adds the addresses that a constant is made of.
void collectAddresses(const llvm::Constant& constant, const llvm::DataLayout& layout,
                      llvm::SmallVectorImpl<ConstantAddress>& out);

} // namespace heddle::analysis
