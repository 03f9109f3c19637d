#pragma once

#include <string_view>

namespace heddle {

/// Whether a source file belongs to a library and not to the program: it stands in a directory of
/// the system or of a compiler.
constexpr bool isLibraryPath(std::string_view path) {
  for (std::string_view directory : {"/usr/include/", "/usr/local/include/", "/usr/lib/"})
    if (path.starts_with(directory))
      return true;
  for (std::string_view part : {"/include/c++/", "/lib/gcc/", "/lib/clang/"})
    if (path.find(part) != std::string_view::npos)
      return true;
  return false;
}

/// Whether it is a header of the C++ library itself.
constexpr bool isStandardPath(std::string_view path) {
  return path.find("/include/c++/") != std::string_view::npos ||
         path.find("/include/bits/") != std::string_view::npos;
}

} // namespace heddle
