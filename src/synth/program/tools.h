#pragma once

#include "model/result.h"

#include <string>

namespace heddle::synth {

/// The programs and files that a synthesis uses.
struct Tools {
  std::string clang;    ///< clang++ 19
  std::string compiler; ///< heddle-c++
  std::string heddle;
  std::string plugin;
  std::string recorder; ///< the object that recordings are linked with
  std::string include;  ///< heddle's own headers, for sources that use them
};

/// Beside this executable, in the build tree as in an installed one. Errors say what is missing.
Result<Tools> findTools();

} // namespace heddle::synth
