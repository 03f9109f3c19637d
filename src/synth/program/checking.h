#pragma once

#include "synth/program/serial_runs.h"
#include "synth/program/test_generation.h"

#include <map>
#include <string>
#include <vector>

namespace heddle::synth {

/// What a check of one generated test showed.
struct CheckedTest {
  std::string name;                  ///< "Queue_test.cpp:push_with_pop"
  std::vector<std::string> findings; ///< ids, as the store has them
  std::vector<std::string> kinds;    ///< of each
  std::vector<std::string> statuses; ///< of each
  bool hasOutcome = false;           ///< no serial order gives what a run gave
  bool isAnnounced = false;          ///< one of them is at a member that the test is about
  bool isAsserted = false;           ///< it asserts its serial outcomes
  std::string nothing;               ///< why it has no findings, where it has none
  unsigned long long runs = 0;
  double seconds = 0;
};

struct CheckRequest {
  std::string store;          ///< of findings
  double secondsPerTest = 10; ///< at most
  size_t jobs = 1;
};

/// Checks of a folder of tests.
struct CheckedTests {
  std::map<std::string, CheckedTest> tests; ///< by the test's line
  double serialSeconds = 0;
  double buildSeconds = 0;
  double checkSeconds = 0;
};

/// Runs the serial orders, writes the tests once more with the outcomes that they allow, builds
/// them with heddle-c++ in the folder `build` beside them, and gives each to `heddle check`. Tests
/// that fail serially are dropped from `tests`. `scratch` is for what nobody needs afterwards.
Result<CheckedTests> checkTests(const GenerationRequest& request, const CheckRequest& check,
                                const Tools& tools, const std::string& scratch,
                                GeneratedTests& tests);

} // namespace heddle::synth
