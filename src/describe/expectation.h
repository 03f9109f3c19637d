#pragma once

#include "model/run_record.h"

#include <optional>
#include <string>

namespace heddle {

/// What GoogleTest printed of an expectation (EXPECT_EQ, ASSERT_TRUE, ADD_FAILURE ...) that failed.
struct FailedExpectation {
  std::string file; ///< as GoogleTest names it; empty: "unknown file"
  unsigned line = 0;
  std::string message; ///< on one line: "Expected equality of these values: a, Which is: 1, 2"
};

/// The first expectation that failed in this output of a GoogleTest program, if one did.
std::optional<FailedExpectation> firstFailedExpectation(const std::string& output);

/// The expectation that made the run fail: one after which the program ended with a bad status, or
/// trapped itself as with --gtest_break_on_failure. Other failures speak for themselves.
std::optional<FailedExpectation> expectationOf(const RunRecord& record);

} // namespace heddle
