#pragma once

#include "static/program/interfaces.h"

namespace heddle::analysis {

/// Adds a main to an open program: it makes objects of the interface's classes in a loop, and
/// threads that call each member on them, so that each pair of calls meets on shared objects
/// (section 2.1 of the paper). Each such thread is a function of its own whose name begins with
/// kClientPrefix. docs/static-harness.md has the rules.
llvm::Function& addHarness(llvm::Module& module, const ClassTable& table,
                           const Interface& interface);

inline constexpr llvm::StringLiteral kHarnessName = "heddle.harness";
inline constexpr llvm::StringLiteral kClientPrefix = "a caller of ";

} // namespace heddle::analysis
