#pragma once

#include "control/file_descriptor.h"
#include "model/result.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace heddle {

/// The program under test with all that decides what it does: arguments, directory, environment
/// and input. Copies share the input. Immutable once made, so sessions in several threads may
/// use one.
struct Program {
  std::vector<std::string> arguments; ///< argv, as the user wrote it
  std::string executable;             ///< path of the file
  std::string directory;
  std::vector<std::string> environment; ///< NAME=value, chosen for the program
  std::string input;                    ///< a copy of standard input
  bool hasInput = false;                ///< false: standard input is /dev/null
  std::string buildId;                  ///< of the executable
  bool googleTest = false;              ///< GoogleTest runs in it
  std::vector<std::string> heddleTests; ///< "Suite.Name" of each HEDDLE_TEST of the executable
  std::string test;                     ///< the only one that these arguments run; empty: no test
};

/// Finds the executable as a shell would and checks that heddle can control it. Each way in which
/// it cannot has a message of its own that says what to do.
Result<Program> locateProgram(std::vector<std::string> arguments);

/// The environment for a program: `own` without what changes from shell to shell, plus `added`
/// (NAME=value, or NAME alone to drop it).
std::vector<std::string> chooseEnvironment(const std::vector<std::string>& own,
                                           const std::vector<std::string>& added);
/// The environment of this process.
std::vector<std::string> ownEnvironment();

/// What was read from a standard input, and whether a pipe stayed open after that.
struct InputCopy {
  std::string text;
  bool present = false;    ///< false: a terminal, nothing was read
  bool stayedOpen = false; ///< no end of file within the patience
};

/// Copies `descriptor` to its end. A pipe or socket that stays open without data for `patience`
/// milliseconds ends the copy, so that heddle never waits silently.
InputCopy copyInput(int descriptor, int patience);

} // namespace heddle
