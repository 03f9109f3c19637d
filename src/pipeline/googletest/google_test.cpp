#include "pipeline/googletest/google_test.h"

#include "model/batch.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace heddle {
namespace {

/// Flags that name tests or how often they run, which is decided here. All of them can also be
/// set in the environment; the filter is honoured there by the list of tests.
constexpr std::array kOurs = {"filter", "repeat", "shuffle", "random_seed", "output"};

constexpr std::array kOurVariables = {"GTEST_FILTER",           "GTEST_REPEAT",
                                      "GTEST_SHUFFLE",          "GTEST_RANDOM_SEED",
                                      "GTEST_OUTPUT",           "GTEST_TOTAL_SHARDS",
                                      "GTEST_SHARD_INDEX",      "GTEST_SHARD_STATUS_FILE",
                                      "GTEST_BREAK_ON_FAILURE", "GTEST_CATCH_EXCEPTIONS",
                                      "TESTBRIDGE_TEST_ONLY",   "XML_OUTPUT_FILE"};

/// "filter" of "--gtest_filter=A.*"; empty when the argument is no flag of GoogleTest.
std::string_view flagOf(std::string_view argument) {
  std::string_view name = argument.substr(0, argument.find('='));
  while (name.starts_with('-'))
    name.remove_prefix(1);
  constexpr std::string_view prefix = "gtest_";
  bool flag = argument.starts_with('-') && name.starts_with(prefix);
  return flag ? name.substr(prefix.size()) : std::string_view();
}

bool isOurs(std::string_view argument) {
  return std::find(kOurs.begin(), kOurs.end(), flagOf(argument)) != kOurs.end();
}

bool has(const Program& program, std::string_view flag) {
  return std::any_of(program.arguments.begin() + 1, program.arguments.end(),
                     [&](const std::string& argument) { return flagOf(argument) == flag; });
}

bool isOurVariable(const std::string& entry) {
  std::string name = entry.substr(0, entry.find('='));
  return std::find(kOurVariables.begin(), kOurVariables.end(), name) != kOurVariables.end();
}

/// Behind the program's name: what follows a "--" of the user need not be read as flags.
void addFlags(Program& program, const std::vector<std::string>& flags) {
  program.arguments.insert(program.arguments.begin() + 1, flags.begin(), flags.end());
}

std::string_view withoutComment(std::string_view line) {
  line = line.substr(0, line.find("  # "));
  while (line.ends_with(' ') || line.ends_with('\r'))
    line.remove_suffix(1);
  return line;
}

/// A filter that this test matches. What would separate patterns, in a type's name for example, may
/// be any character.
std::string filterOf(std::string test) {
  std::replace_if(test.begin(), test.end(), [](char c) { return c == ':' || c == '-'; }, '?');
  return test;
}

/// Names are identifiers and '/' with anything but spaces for instances.
bool isName(std::string_view text) {
  return !text.empty() && text.find_first_of(" \t") == std::string_view::npos;
}

} // namespace

Program listingProgram(const Program& program) {
  Program listing = program;
  addFlags(listing, {"--gtest_list_tests"});
  // With it the list would go to a file, too.
  std::erase_if(listing.arguments,
                [](const std::string& argument) { return flagOf(argument) == "output"; });
  std::erase_if(listing.environment,
                [](const std::string& entry) { return entry.starts_with("GTEST_OUTPUT="); });
  return listing;
}

std::vector<std::string> parseTestList(const std::string& text) {
  std::vector<std::string> tests;
  std::string suite; // with its dot
  std::string_view rest = text;
  while (!rest.empty()) {
    size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = withoutComment(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    bool indented = line.starts_with("  ") && isName(line.substr(2));
    if (indented && !suite.empty())
      tests.push_back(suite + std::string(line.substr(2)));
    else if (isName(line) && line.ends_with('.'))
      suite = line;
    else
      suite.clear(); // a line of somebody else
  }
  return tests;
}

Program programOfTest(const Program& program, const std::string& test, FailingExpectation failing) {
  Program alone = program;
  alone.test = test;
  std::erase_if(alone.arguments, isOurs);
  std::erase_if(alone.environment, isOurVariable);
  std::vector<std::string> flags = {"--gtest_filter=" + filterOf(test)};
  if (failing == FailingExpectation::Traps) {
    flags.push_back("--gtest_break_on_failure");
    flags.push_back("--gtest_catch_exceptions=0");
  }
  addFlags(alone, flags);
  if (isHeddleTest(program, test))
    alone.environment.push_back(std::string(kStartsReadyVariable) + "=1");
  return alone;
}

void startAtMain(Program& program) {
  std::erase_if(program.environment,
                [](const std::string& entry) { return entry.starts_with(kStartsReadyVariable); });
}

bool isHeddleTest(const Program& program, const std::string& test) {
  const auto& marked = program.heddleTests;
  return std::find(marked.begin(), marked.end(), test) != marked.end();
}

std::optional<std::string> reasonToSkip(const Program& program, const std::string& test) {
  size_t dot = test.find('.');
  std::string_view suite = std::string_view(test).substr(0, dot);
  std::string_view instance = suite.substr(std::min(suite.find('/') + 1, suite.size()));
  std::string_view bare = suite.substr(0, suite.find('/')); // typed: Suite/0
  // An instance stands before the name of a parameterised suite and behind that of a typed one.
  if (bare.ends_with("DeathTest") || instance.ends_with("DeathTest"))
    return "death test";
  bool disabled = test.starts_with("DISABLED_") || test.find(".DISABLED_") != std::string::npos ||
                  test.find("/DISABLED_") != std::string::npos;
  if (disabled && !has(program, "also_run_disabled_tests"))
    return "disabled";
  return std::nullopt;
}

bool skippedItself(const std::string& output) {
  return output.find("[  SKIPPED ] ") != std::string::npos;
}

bool asksForInformation(const Program& program) {
  return has(program, "list_tests") || has(program, "help") ||
         std::any_of(program.arguments.begin() + 1, program.arguments.end(),
                     [](const std::string& argument) {
                       return argument == "--help" || argument == "-h" || argument == "-?";
                     });
}

} // namespace heddle
