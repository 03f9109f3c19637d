#pragma once

#include <string_view>

namespace heddle::pass {

/// Whether a call of the external function with this linkage name matters to the runtime:
/// synchronization, threads, allocation, time, blocking input and output, the end of the program.
bool isSyncName(std::string_view linkageName);

/// Whether a function of this name belongs to the C or C++ library or to the compiler, and orders
/// nothing: no thread learns from it what another one did.
bool isHarmlessName(std::string_view linkageName);

} // namespace heddle::pass
