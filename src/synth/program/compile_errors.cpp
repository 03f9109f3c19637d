#include "synth/program/compile_errors.h"

#include <cstdlib>
#include <sstream>

namespace heddle::synth {
namespace {

/// The test that the line belongs to; empty: it stands before all of them.
std::string testAt(const SourceFile& file, size_t line) {
  for (size_t i = file.lines.size(); i-- > 0;)
    if (file.lines[i] <= line)
      return file.tests[i];
  return "";
}

} // namespace

std::map<std::string, std::string> blamedTests(const SourceFile& file, const std::string& path,
                                               const std::string& messages) {
  std::map<std::string, std::string> blamed;
  std::istringstream lines(messages);
  std::string message;
  for (std::string line; std::getline(lines, line);) {
    if (size_t error = line.find("error: "); error != std::string::npos)
      message = line.substr(error + 7);
    // A note of an instantiation names the place in the test where the error is in a header.
    if (message.empty() || !line.starts_with(path + ":"))
      continue;
    size_t number = std::strtoul(line.c_str() + path.size() + 1, nullptr, 10);
    if (std::string test = testAt(file, number); !test.empty())
      blamed.emplace(test, message);
  }
  if (blamed.empty())
    for (const std::string& test : file.tests)
      blamed[test] = message.empty() ? "the compiler gives no error that names a test" : message;
  return blamed;
}

} // namespace heddle::synth
