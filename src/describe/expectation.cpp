#include "describe/expectation.h"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <string_view>

namespace heddle {
namespace {

constexpr std::string_view kFailure = ": Failure";
constexpr std::string_view kUnknownFile = "unknown file";

std::string_view takeLine(std::string_view& text) {
  size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

std::string_view trimmed(std::string_view text) {
  size_t first = std::min(text.find_first_not_of(" \t\r"), text.size());
  text.remove_prefix(first);
  return text.substr(0, text.find_last_not_of(" \t\r") + 1);
}

/// "file:line: Failure" or "unknown file: Failure". What the program printed before may stand on
/// the same line; nobody can tell it from the name of the file.
std::optional<FailedExpectation> readHead(std::string_view line) {
  if (!line.ends_with(kFailure))
    return std::nullopt;
  line.remove_suffix(kFailure.size());
  FailedExpectation expectation;
  if (line.ends_with(kUnknownFile))
    return expectation;
  size_t colon = line.rfind(':');
  if (colon == std::string_view::npos || colon == 0)
    return std::nullopt;
  const char* end = line.data() + line.size();
  auto [stop, code] = std::from_chars(line.data() + colon + 1, end, expectation.line);
  if (code != std::errc() || stop != end)
    return std::nullopt;
  expectation.file = line.substr(0, colon);
  return expectation;
}

/// "[  FAILED  ] Suite.Name", "[----------] ...": GoogleTest's own progress.
bool isProgress(std::string_view line) {
  return line.size() > 12 && line[0] == '[' && line[11] == ']' && line[12] == ' ';
}

} // namespace

std::optional<FailedExpectation> firstFailedExpectation(const std::string& output) {
  std::string_view rest = output;
  std::optional<FailedExpectation> found;
  while (!found && !rest.empty())
    found = readHead(takeLine(rest));
  if (!found)
    return found;
  while (!rest.empty()) {
    std::string_view line = takeLine(rest);
    if (trimmed(line).empty() || isProgress(line) || readHead(line))
      break;
    std::string& message = found->message;
    if (!message.empty())
      message += message.back() == ':' ? " " : ", ";
    message += trimmed(line);
  }
  return found;
}

std::optional<FailedExpectation> expectationOf(const RunRecord& record) {
  bool trapped = record.failure == FailureKind::Crash && record.signal == SIGTRAP;
  if (!trapped && record.failure != FailureKind::ExitStatus)
    return std::nullopt;
  return firstFailedExpectation(record.output);
}

} // namespace heddle
