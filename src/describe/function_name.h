#pragma once

#include <string>

namespace heddle {

/// A demangled name without its return type and parameters: "Account::deposit" for
/// "void Account::deposit<int>(int) const" keeps its template arguments, which tell instances
/// apart, and loses the rest.
std::string shortFunctionName(const std::string& demangled);

/// A message of the runtime with its linkage names made readable: the runtime cannot demangle.
std::string readableMessage(const std::string& message);

} // namespace heddle
