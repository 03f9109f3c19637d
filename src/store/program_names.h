#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle {

/// Names for findings of several programs that have one id: "H-3f2a@bank", or as much of the
/// program's path behind the @ as tells it from the others.

/// The id and the program of such a name; the program is empty when none is given.
std::pair<std::string, std::string> splitFindingName(std::string_view name);

/// Whether a path that somebody wrote means this program: all of its path, or the end of it behind
/// a slash.
bool meansProgram(std::string_view written, std::string_view program);

/// The shortest end of the program's path that means none of the others.
std::string shortProgramName(const std::string& program, const std::vector<std::string>& others);

} // namespace heddle
