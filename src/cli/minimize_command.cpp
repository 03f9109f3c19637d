#include "cli/command.h"
#include "cli/console.h"
#include "pipeline/commands/minimize.h"
#include "pipeline/commands/replay_target.h"

namespace heddle {
namespace {

class MinimizeCommand : public Command {
public:
  const char* name() const override { return "minimize"; }
  bool takesProgram() const override { return false; }
  const char* operands() const override { return "ID"; }
  const char* summary() const override {
    return "the failing schedule of a stored finding with the fewest preemptions: ID";
  }
  std::vector<std::string> optionKeys() const override {
    return {"runs",        "seconds",      "store",        "format",     "output",
            "show_output", "hang_seconds", "wait_seconds", "check_heap", "isolation"};
  }
  int execute(const Input& input) override {
    if (input.words.size() != 1)
      return printError({"expected one finding: heddle minimize ID", ErrorKind::Usage});
    auto target = findStored(input.options.store, input.words[0]);
    if (!target)
      return printError(target.error());
    for (const std::string& warning : target->warnings)
      printWarning(warning);
    auto store = Store::open(input.options.store);
    if (!store)
      return printError(store.error());
    CommandContext context(target->program, input.options, &*store);
    context.setProgressListener(terminalProgress());
    return finishCommand(heddle::minimize(context, *target), input.options, &*store);
  }

private:
  /// Only what is stored can be replaced there: no schedule text, no exported file.
  static Result<ReplayTarget> findStored(const std::string& directory, const std::string& id) {
    auto store = Store::open(directory, Store::Access::ReadOnly);
    if (!store)
      return store.error();
    auto stored = store->finding(id);
    if (!stored)
      return stored.error();
    auto name = store->nameOf(stored->finding.id, programOf(stored->run));
    if (!name)
      return name.error();
    return findReplayTarget({*name}, directory, {});
  }
};

} // namespace

std::unique_ptr<Command> makeMinimizeCommand() { return std::make_unique<MinimizeCommand>(); }

} // namespace heddle
