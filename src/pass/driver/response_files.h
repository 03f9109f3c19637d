#pragma once

#include <string>
#include <vector>

namespace heddle::driver {

/// The arguments with each @file replaced by the arguments in it, as clang reads them. Only for
/// looking at them: clang gets the @file itself. A file that cannot be read stays as it is.
std::vector<std::string> expandResponseFiles(const std::vector<std::string>& arguments);

} // namespace heddle::driver
