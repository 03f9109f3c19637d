#pragma once

#include "cli/exit_code.h"
#include "control/memory_limit.h"
#include "control/options.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <string>
#include <vector>

namespace heddle {

/// One command of the command line. A command reads its arguments, calls the pipeline and hands
/// the result to a reporter; it has no logic of its own.
class Command {
public:
  virtual ~Command() = default;
  virtual const char* name() const = 0;
  virtual const char* summary() const = 0;
  /// Whether its first word is a program, so that everything behind it belongs to the program.
  virtual bool takesProgram() const { return true; }
  /// What follows the options, for the help.
  virtual const char* operands() const { return "./prog [arguments of the program]"; }
  /// The keys of options.def that the command takes beside `memory`, which all take.
  virtual std::vector<std::string> optionKeys() const = 0;
  /// Bytes that it uses at most when nobody says otherwise.
  virtual uint64_t mostMemory() const { return kMaxMemory; }
  /// Arguments beside these options.
  virtual void addArguments(CLI::App&) {}
  /// `words`: what followed the options; `rest`: what followed a lone "--".
  struct Input {
    Options options;
    std::vector<std::string> words;
    std::vector<std::string> rest;
    bool hasRest = false;
  };
  virtual int execute(const Input& input) = 0;
};

/// --env: variables of the program.
void addEnvironment(CLI::App& app, std::vector<std::string>& environment);

/// All commands, in the order of the help.
std::vector<std::unique_ptr<Command>> makeCommands();

std::unique_ptr<Command> makeRunCommand();
std::unique_ptr<Command> makeCheckCommand();
std::unique_ptr<Command> makeRacesCommand();
std::unique_ptr<Command> makeAtomicityCommand();
std::unique_ptr<Command> makeAnalyzeCommand();
std::unique_ptr<Command> makeSynthCommand();
std::unique_ptr<Command> makeReplayCommand();
std::unique_ptr<Command> makeMinimizeCommand();
std::unique_ptr<Command> makeReportCommand();
std::unique_ptr<Command> makeExploreCommand();
std::unique_ptr<Command> makeExportCommand();
std::unique_ptr<Command> makeSitesCommand();
std::unique_ptr<Command> makeTestsCommand();
std::unique_ptr<Command> makeDoctorCommand();

} // namespace heddle
