#pragma once

#include <string>
#include <vector>

namespace heddle::driver {

/// What a command line asks of clang, as far as it matters to what heddle adds.
struct Invocation {
  bool hasInput = false;  ///< there is something to compile or to link; not a mere query
  bool links = false;     ///< makes an executable
  bool debugInfo = false; ///< -g of any kind
  std::string refusal;    ///< not empty: one sentence that says why heddle cannot do it
};

/// `arguments` are those after argv[0], with response files expanded.
Invocation examine(const std::vector<std::string>& arguments);

} // namespace heddle::driver
