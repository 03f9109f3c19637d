#pragma once

#include <string>
#include <vector>

namespace heddle::driver {

/// Tells the pass the command line, through the environment that clang inherits.
void tellBuildCommand(const std::vector<std::string>& arguments);

/// An object with the record of this link, as a path that the linker can open; empty where that
/// is not possible, and then the executable does not say how it was linked. The object lies in
/// memory that lives as long as the link: no file is left behind.
std::string linkRecordObject(const std::vector<std::string>& arguments);

} // namespace heddle::driver
