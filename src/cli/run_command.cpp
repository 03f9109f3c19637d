#include "cli/command.h"
#include "cli/console.h"

namespace heddle {
namespace {

class RunCommand : public Command {
public:
  const char* name() const override { return "run"; }
  const char* summary() const override { return "controlled runs under one strategy"; }
  std::vector<std::string> optionKeys() const override {
    return {"strategy",    "seed",      "runs",       "seconds",    "keep_going",   "minimize",
            "jobs",        "depth",     "points",     "isolation",  "time",         "spurious",
            "until_idle",  "max_steps", "check_heap", "recordings", "hang_seconds", "wait_seconds",
            "show_output", "store",     "format",     "output",     "fail_on"};
  }
  void addArguments(CLI::App& app) override { addEnvironment(app, environment_); }
  int execute(const Input& input) override {
    auto program = readProgram(input.words, environment_);
    if (!program)
      return printError(program.error());
    Options options = input.options;
    if (options.runs == 0 && options.seconds == 0)
      options.runs = 1;
    options.settled_runs = 0;
    auto store = openStore(options);
    CommandContext context(*program, options, store ? &*store : nullptr);
    context.setProgressListener(terminalProgress());
    return finishCommand(run(context), options, store ? &*store : nullptr);
  }

private:
  std::vector<std::string> environment_;
};

} // namespace

std::unique_ptr<Command> makeRunCommand() { return std::make_unique<RunCommand>(); }

} // namespace heddle
