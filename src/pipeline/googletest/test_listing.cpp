#include "pipeline/googletest/test_listing.h"

#include "control/plain_run.h"
#include "pipeline/googletest/google_test.h"

#include <algorithm>

namespace heddle {
bool isTestProgram(const Program& program, const Options& options) {
  if (options.gtest == "off" || asksForInformation(program))
    return false;
  return program.googleTest || options.gtest != "auto";
}

std::vector<ListedTest> chooseTests(const Program& program, const Options& options,
                                    const std::vector<std::string>& names) {
  auto isMarked = [&](const std::string& name) { return isHeddleTest(program, name); };
  bool onlyMarked = options.gtest != "all" && std::any_of(names.begin(), names.end(), isMarked);
  std::vector<ListedTest> tests;
  for (const std::string& name : names) {
    std::string skipped = reasonToSkip(program, name).value_or("");
    if (skipped.empty() && onlyMarked && !isMarked(name))
      skipped = kNoHeddleTest;
    tests.push_back({name, skipped});
  }
  return tests;
}

Result<std::vector<ListedTest>> listTests(const Program& program, const Options& options) {
  auto text = outputOf(listingProgram(program), options.wait_seconds);
  if (!text)
    return Error{"cannot list the tests of " + program.arguments[0] + " (--gtest_list_tests): " +
                     text.error().message + "\n--gtest=off runs it as one program",
                 ErrorKind::Usage};
  std::vector<ListedTest> tests = chooseTests(program, options, parseTestList(*text));
  if (tests.empty())
    return Error{program.arguments[0] + " lists no tests for --gtest_list_tests" +
                     (program.googleTest
                          ? ": a --gtest_filter that matches some is expected; --gtest=off runs "
                            "it as one program"
                          : ": it is no GoogleTest program; leave --gtest out"),
                 ErrorKind::Usage};
  return tests;
}

std::string testListingText(const std::vector<ListedTest>& tests) {
  std::string text;
  for (const ListedTest& test : tests)
    text += test.skipped.empty() ? test.name + "\n"
                                 : "# " + test.name + ": skipped, " + test.skipped + "\n";
  return text;
}

} // namespace heddle
