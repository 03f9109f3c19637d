#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::driver {

/// Whether this is an option of gcc that clang rejects and that changes how code is optimized or
/// how messages look, but not what the program means. Build systems written for gcc pass them.
bool isIgnorableGccOption(std::string_view argument);

} // namespace heddle::driver
