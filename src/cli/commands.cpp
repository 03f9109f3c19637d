#include "cli/command.h"

namespace heddle {

void addEnvironment(CLI::App& app, std::vector<std::string>& environment) {
  app.add_option("--env", environment, "set (NAME=value) or drop (NAME) a variable of the program")
      ->allow_extra_args(false);
}

std::vector<std::unique_ptr<Command>> makeCommands() {
  std::vector<std::unique_ptr<Command>> commands;
  commands.push_back(makeCheckCommand());
  commands.push_back(makeRacesCommand());
  commands.push_back(makeAtomicityCommand());
  commands.push_back(makeExploreCommand());
  commands.push_back(makeAnalyzeCommand());
  commands.push_back(makeSynthCommand());
  commands.push_back(makeRunCommand());
  commands.push_back(makeReplayCommand());
  commands.push_back(makeMinimizeCommand());
  commands.push_back(makeReportCommand());
  commands.push_back(makeExportCommand());
  commands.push_back(makeSitesCommand());
  commands.push_back(makeTestsCommand());
  commands.push_back(makeDoctorCommand());
  return commands;
}

} // namespace heddle
