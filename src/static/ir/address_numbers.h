#pragma once

#include "llvm/IR/Value.h"

/// Integers and addresses: which numbers of a function can be addresses, and which cannot.
namespace heddle::analysis {

/// Whether the value is computed from an address that was converted to a number.
bool isAddressNumber(const llvm::Value* value);

/// Whether a number is converted to a pointer after some constants were added or masked: bits that
/// a program keeps in its addresses.
bool becomesAddress(const llvm::Value& value);

} // namespace heddle::analysis
