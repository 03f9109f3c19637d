#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

enum class TestEnd {
  NothingFound,
  Found,
  OneThread, ///< passed, and there is nothing to interleave
  Skipped,
  NotRun, ///< the budget was used up, or Ctrl-C came
  Lost,   ///< control of the program was lost
};

/// What a command gave for one test of a program.
struct TestOutcome {
  std::string test; ///< "Suite.Name"
  TestEnd end = TestEnd::NotRun;
  std::string why; ///< Skipped, NotRun, Lost: the reason
  uint64_t runs = 0;
  double seconds = 0;
  std::vector<std::string> findings = {}; ///< ids
};

/// A table for the summary of a report: test, runs, findings, status. Tests that were not explored
/// for the same reason are counted in one line when there are many.
std::vector<std::string> testTable(const std::vector<TestOutcome>& outcomes);

/// The same, complete, as a JSON array.
std::string testTableJson(const std::vector<TestOutcome>& outcomes);

} // namespace heddle
