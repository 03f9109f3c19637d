#pragma once

#include <string>

namespace heddle {

/// One word of a command line as a shell would take it: quoted where it has to be.
std::string shellQuoted(const std::string& word);

} // namespace heddle
