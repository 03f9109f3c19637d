#pragma once

#include <string>

namespace heddle::driver {

/// The files that go with this executable: ../lib/heddle and ../include beside it, in the build
/// tree as in an installed one.
struct Resources {
  std::string plugin;
  std::string runtime; ///< linked first
  std::string names;   ///< libc's names for what the runtime replaces; linked last
  std::string dynamicList;
  std::string include;
};

Resources findResources();

/// The path of clang 19 for C or C++: $HEDDLE_CLANG_DIR, PATH, or where Debian keeps it.
/// Empty if there is none.
std::string findClang(bool cPlusPlus);

} // namespace heddle::driver
