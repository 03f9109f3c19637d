#include "cli/search_command.h"

namespace heddle {
namespace {

class AtomicityCommand : public SearchCommand {
public:
  AtomicityCommand() : SearchCommand(atomicity) {}

  const char* name() const override { return "atomicity"; }
  const char* summary() const override {
    return "predict where units of work that belong together can be torn apart, and make it happen";
  }
  std::vector<std::string> optionKeys() const override {
    return {"runs",   "seconds",      "keep_going",   "jobs",        "seed",       "isolation",
            "time",   "spurious",     "until_idle",   "max_steps",   "check_heap", "recordings",
            "trials", "hang_seconds", "wait_seconds", "show_output", "store",      "format",
            "output", "fail_on",      "suppressions", "known",       "gtest",      "minimize",
            "method", "profiles",     "sets"};
  }
};

} // namespace

std::unique_ptr<Command> makeAtomicityCommand() { return std::make_unique<AtomicityCommand>(); }

} // namespace heddle
