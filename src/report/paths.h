#pragma once

#include "model/finding.h"

#include <string>

namespace heddle {

/// Whether the file belongs to the system's headers and libraries.
bool isLibraryFile(const std::string& file);

/// `file` as seen from `root`; as it is when it does not lie below it or `root` is "".
std::string relativePath(const std::string& file, const std::string& root);

/// The finding with all files of the user's code as seen from `root`.
Finding withRelativePaths(Finding finding, const std::string& root);

} // namespace heddle
