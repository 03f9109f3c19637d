#pragma once

#include "control/options.h"
#include "control/program.h"
#include "model/result.h"
#include "model/summary.h"

#include <string>
#include <vector>

namespace heddle {

/// Why tests are skipped that stand beside a HEDDLE_TEST.
inline constexpr const char* kNoHeddleTest = "no HEDDLE_TEST";

/// Whether commands go through the program test by test: it is a GoogleTest program, or is said to
/// be one, and is asked to run tests.
bool isTestProgram(const Program& program, const Options& options);

/// Which of these tests are explored: where there is a HEDDLE_TEST among them, others are only with
/// --gtest=all. A filter that lets none of those through has chosen by itself.
std::vector<ListedTest> chooseTests(const Program& program, const Options& options,
                                    const std::vector<std::string>& names);

/// The tests that the program's arguments let through, in GoogleTest's order. Errors: the program
/// does not list any.
Result<std::vector<ListedTest>> listTests(const Program& program, const Options& options);

/// One line for each test: its name, for skipped ones behind a '#' and with the reason.
std::string testListingText(const std::vector<ListedTest>& tests);

} // namespace heddle
