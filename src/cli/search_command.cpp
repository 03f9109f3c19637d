#include "cli/search_command.h"

#include "cli/console.h"

namespace heddle {

void SearchCommand::addArguments(CLI::App& app) { addEnvironment(app, environment_); }

int SearchCommand::execute(const Input& input) {
  auto program = readProgram(input.words, environment_);
  if (!program)
    return printError(program.error());
  auto store = openStore(input.options);
  Store* kept = store ? &*store : nullptr;
  CommandSetup setup{name(), *program, input.options, kept, terminalProgress()};
  return finishCommand(runByTest(setup, look_), input.options, kept);
}

} // namespace heddle
