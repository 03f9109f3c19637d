#pragma once

#include "control/program.h"

#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// How a GoogleTest program is spoken to: by its command line and what it prints, so that any
/// version of the library will do, compiled with heddle or not.

/// The program with arguments that make it print its tests, as far as the user's own filter lets
/// them through.
Program listingProgram(const Program& program);

/// "Suite.Name" of each test in what such a program prints, in order. Other lines are left out.
std::vector<std::string> parseTestList(const std::string& text);

/// How a test that fails is to say so.
enum class FailingExpectation {
  Traps,  ///< it ends the run where it stands, and an exception is not caught
  GoesOn, ///< as GoogleTest does by itself: the exit status is 1 in the end
};

/// The program with arguments that make it run this test alone; runs of a HEDDLE_TEST start at its
/// body. What repeats, shuffles or shards tests or writes files beside is left out.
Program programOfTest(const Program& program, const std::string& test, FailingExpectation failing);

/// For a HEDDLE_TEST that does not get as far as its body: runs start at main after all.
void startAtMain(Program& program);

/// Whether the test is a HEDDLE_TEST.
bool isHeddleTest(const Program& program, const std::string& test);

/// Why the test is never explored: "death test", "disabled"; nothing: it is.
std::optional<std::string> reasonToSkip(const Program& program, const std::string& test);

/// Whether the output of a run says that the test skipped itself (GTEST_SKIP).
bool skippedItself(const std::string& output);

/// Whether the user asks GoogleTest for something else than to run tests: a list, or help.
bool asksForInformation(const Program& program);

} // namespace heddle
