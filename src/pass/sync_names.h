#pragma once

#include <string_view>

namespace heddle::pass {

/// Whether a call of the external function with this linkage name matters to the runtime:
/// synchronisation, threads, allocation, time, blocking input and output, the end of the program.
bool isSyncName(std::string_view linkageName);

} // namespace heddle::pass
