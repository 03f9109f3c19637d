#include "cli/command.h"
#include "cli/console.h"
#include "control/doctor.h"

#include <fmt/format.h>

namespace heddle {
namespace {

std::string checksText(const std::vector<DoctorCheck>& checks) {
  std::string text;
  for (const DoctorCheck& check : checks) {
    text += fmt::format("{:8} {:22} {}\n", doctorStateName(check.state), check.name, check.found);
    if (!check.advice.empty())
      text += fmt::format("{:31} -> {}\n", "", check.advice);
  }
  return text;
}

class DoctorCommand : public Command {
public:
  const char* name() const override { return "doctor"; }
  const char* summary() const override { return "what works on this machine, and what to do"; }
  std::vector<std::string> optionKeys() const override { return {"store", "format", "output"}; }
  const char* operands() const override { return ""; }
  int execute(const Input& input) override {
    std::vector<DoctorCheck> checks = examineMachine(input.options.store);
    CommandResult result;
    result.report.command = name();
    int exitCode = kExitNothingFound;
    for (const DoctorCheck& check : checks)
      if (check.state == DoctorCheck::State::Missing)
        exitCode = kExitUsage;
    if (input.options.format == "text")
      return finishText(checksText(checks), input.options, exitCode);
    auto& facts = result.report.factsAs<DoctorSummary>();
    for (const DoctorCheck& check : checks)
      facts.checks.push_back({check.name, doctorStateName(check.state), check.found, check.advice});
    return finishCommand(result, input.options, nullptr, exitCode);
  }
};

} // namespace

std::unique_ptr<Command> makeDoctorCommand() { return std::make_unique<DoctorCommand>(); }

} // namespace heddle
