#pragma once

#include "static/bodies.h"

/// Integers and addresses: which numbers of a function can be addresses, and which can not.
namespace heddle::analysis {

/// Whether the value is computed from an address that was converted to a number.
bool isAddressNumber(const llvm::Value* value);

/// Whether a number is converted to a pointer after some constants were added or masked: bits that
/// a program keeps in its addresses.
bool becomesAddress(const llvm::Value& value);

/// Adds to the body's contents which of its variables are numbers. Integers hold addresses only
/// where the function turns one into the other.
void findNumbers(Body& body);

} // namespace heddle::analysis
