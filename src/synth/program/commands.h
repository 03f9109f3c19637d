#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace heddle::synth {

/// A command of another program: a compiler, the sequential tests, heddle itself.
struct CommandLine {
  std::vector<std::string> words;
  std::string directory;                ///< empty: the current one
  std::vector<std::string> environment; ///< NAME=value, added to the own one
};

/// How a command ended.
struct CommandEnd {
  int status = -1; ///< as waitpid has it
  bool timedOut = false;
  std::string output; ///< standard output and error, at most the last megabyte
  bool succeeded() const { return !timedOut && status == 0; }
  /// "ended with status 3", "was killed by SIGSEGV (Segmentation fault)", "did not end in 5 s".
  std::string text() const;
};

/// Starts it without a shell, and kills it with all that it started after `seconds` or an
/// interrupt.
CommandEnd runCommand(const CommandLine& command, double seconds);

/// All of them, `atOnce` at the same time; `ended` is told after each how many there are.
std::vector<CommandEnd> runCommands(const std::vector<CommandLine>& commands, size_t atOnce,
                                    double seconds,
                                    const std::function<void(size_t)>& ended = nullptr);

} // namespace heddle::synth
