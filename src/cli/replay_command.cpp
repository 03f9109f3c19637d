#include "cli/command.h"
#include "cli/console.h"
#include "control/debugger.h"
#include "pipeline/commands/replay.h"
#include "pipeline/commands/replay_target.h"

namespace heddle {
namespace {

class ReplayCommand : public Command {
public:
  const char* name() const override { return "replay"; }
  bool takesProgram() const override { return false; }
  const char* operands() const override {
    return "ID | SCHEDULE ./prog [arguments] | FILE [-- gdb ...]";
  }
  const char* summary() const override {
    return "the same run again: ID, SCHEDULE ./prog [arguments] or an exported FILE [-- gdb ...]";
  }
  std::vector<std::string> optionKeys() const override {
    return {"store",        "format",       "output",     "show_output",
            "hang_seconds", "wait_seconds", "check_heap", "isolation"};
  }
  void addArguments(CLI::App& app) override {
    app.add_option("--times", times_, "how often");
    addEnvironment(app, environment_);
  }
  int execute(const Input& input) override {
    if (input.words.empty())
      return printError({"no run given: heddle replay ID, SCHEDULE ./prog or an exported FILE",
                         ErrorKind::Usage});
    auto target = findReplayTarget(input.words, input.options.store, environment_);
    if (!target)
      return printError(target.error());
    CommandContext context(target->program, input.options, nullptr);
    if (input.hasRest) { // else the report has them
      for (const std::string& warning : target->warnings)
        printWarning(warning);
      PlanRequest request = context.plans.replayPlan(target->schedule, target->sites);
      if (isHarmlessRace(*target)) // there is no failure to stop at
        request.plan.flags |= kPlanStopAtMeeting;
      auto status = runUnderTool(*target->program, request, input.rest);
      return status ? *status : printError(status.error());
    }
    context.setProgressListener(terminalProgress());
    return finishCommand(replay(context, *target, times_), input.options, nullptr);
  }

private:
  uint64_t times_ = 1;
  std::vector<std::string> environment_;
};

} // namespace

std::unique_ptr<Command> makeReplayCommand() { return std::make_unique<ReplayCommand>(); }

} // namespace heddle
