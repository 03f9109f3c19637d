#include "cli/command.h"
#include "cli/console.h"
#include "pipeline/test_suite.h"

namespace heddle {
namespace {

class AtomicityCommand : public Command {
public:
  const char* name() const override { return "atomicity"; }
  const char* summary() const override {
    return "predict where units of work that belong together can be torn apart, and make it happen";
  }
  std::vector<std::string> optionKeys() const override {
    return {"runs",     "seconds",      "keep_going",   "jobs",        "seed",       "isolation",
            "time",     "spurious",     "until_idle",   "max_steps",   "check_heap", "recordings",
            "trials",   "hang_seconds", "wait_seconds", "show_output", "store",      "format",
            "output",   "fail_on",      "suppressions", "gtest",       "minimize",   "method",
            "profiles", "sets"};
  }
  void addArguments(CLI::App& app) override {
    app.add_option("--env", environment_,
                   "set (NAME=value) or drop (NAME) a variable of the program")
        ->allow_extra_args(false);
  }
  int execute(const Input& input) override {
    auto program = readProgram(input.words, environment_);
    if (!program)
      return printError(program.error());
    auto store = openStore(input.options);
    Store* kept = store ? &*store : nullptr;
    CommandSetup setup{name(), *program, input.options, kept, terminalProgress()};
    return finishCommand(runByTest(setup, atomicity), input.options, kept);
  }

private:
  std::vector<std::string> environment_;
};

} // namespace

std::unique_ptr<Command> makeAtomicityCommand() { return std::make_unique<AtomicityCommand>(); }

} // namespace heddle
