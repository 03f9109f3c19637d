#pragma once

#include "control/program.h"

#include <string>

namespace heddle {

/// Starts the program without control, waits for its end, and returns all that it printed on
/// standard output and standard error. For what a program says about itself (--gtest_list_tests),
/// which no schedule changes. Errors: it cannot be started, ends with another status than 0, or
/// not within `seconds`; they have the end of what it printed.
Result<std::string> outputOf(const Program& program, double seconds);

} // namespace heddle
