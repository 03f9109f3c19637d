#include "store/program_names.h"

#include <algorithm>

namespace heddle {

std::pair<std::string, std::string> splitFindingName(std::string_view name) {
  const size_t at = name.find('@');
  if (at == std::string_view::npos)
    return {std::string(name), ""};
  return {std::string(name.substr(0, at)), std::string(name.substr(at + 1))};
}

bool meansProgram(std::string_view written, std::string_view program) {
  while (written.starts_with("./"))
    written.remove_prefix(2);
  if (written == program)
    return true;
  if (written.empty() || written.starts_with('/') || !program.ends_with(written))
    return false;
  return program[program.size() - written.size() - 1] == '/';
}

std::string shortProgramName(const std::string& program, const std::vector<std::string>& others) {
  for (size_t slash = program.rfind('/'); slash != std::string::npos && slash > 0;
       slash = program.rfind('/', slash - 1)) {
    const std::string end = program.substr(slash + 1);
    const bool shared = std::any_of(others.begin(), others.end(), [&](const std::string& other) {
      return other != program && meansProgram(end, other);
    });
    if (!shared)
      return end;
  }
  return program;
}

} // namespace heddle
