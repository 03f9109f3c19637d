#include "cli/command.h"
#include "cli/console.h"
#include "pipeline/commands/explore.h"
#include "pipeline/commands/explore_text.h"

namespace heddle {
namespace {

class ExploreCommand : public Command {
public:
  const char* name() const override { return "explore"; }
  const char* summary() const override {
    return "one run of each class of runs: a verdict for all interleavings";
  }
  std::vector<std::string> optionKeys() const override {
    return {"runs",         "seconds",     "keep_going", "minimize",   "isolation",
            "until_idle",   "jobs",        "max_steps",  "check_heap", "hang_seconds",
            "wait_seconds", "show_output", "store",      "format",     "output",
            "suppressions", "known",       "seed",       "fail_on"};
  }
  void addArguments(CLI::App& app) override {
    addEnvironment(app, environment_);
    app.add_flag("--exhaustive", options_.exhaustive,
                 "explore everything, also after a failure; exit code 4 if that is not possible");
    app.add_option("--find", options_.find,
                   "search on until this failure: its kind (deadlock, assertion …) or FILE:LINE");
    app.add_option("--focus", options_.focus, "FILE:LINE: try orders of accesses there first")
        ->check([](const std::string& text) {
          return parseSourcePlace(text) ? std::string() : "expected FILE:LINE, found " + text;
        });
    app.add_flag("--resume", options_.resume,
                 "go on with an exploration that was ended, if there is one");
    app.add_option("--equivalence", equivalence_, "which runs are of one class")
        ->check(CLI::IsMember({"value-schedules", "reads-from"}))
        ->capture_default_str();
  }
  int execute(const Input& input) override {
    auto program = readProgram(input.words, environment_);
    if (!program)
      return printError(program.error());
    if (equivalence_ == "value-schedules")
      options_.equivalence = explore::Equivalence::ValueSchedules;
    auto store = openStore(input.options);
    Store* kept = store ? &*store : nullptr;
    CommandContext context(*program, input.options, kept);
    context.setProgressListener(terminalProgress());
    return finishCommand(exploreAll(context, options_), input.options, kept);
  }

private:
  std::vector<std::string> environment_;
  std::string equivalence_ = "reads-from";
  ExploreOptions options_;
};

} // namespace

std::unique_ptr<Command> makeExploreCommand() { return std::make_unique<ExploreCommand>(); }

} // namespace heddle
