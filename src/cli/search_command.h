#pragma once

#include "cli/command.h"
#include "pipeline/googletest/test_suite.h"

namespace heddle {

/// Base of the commands that look for something in a program, test by test if it has tests.
class SearchCommand : public Command {
public:
  explicit SearchCommand(ProgramCommand look) : look_(look) {}

  void addArguments(CLI::App& app) override;
  int execute(const Input& input) override;

private:
  ProgramCommand look_;
  std::vector<std::string> environment_;
};

} // namespace heddle
