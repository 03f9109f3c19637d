#include "cli/search_command.h"

namespace heddle {
namespace {

class CheckCommand : public SearchCommand {
public:
  CheckCommand() : SearchCommand(check) {}

  const char* name() const override { return "check"; }
  const char* summary() const override {
    return "look for failures that depend on the interleaving, and confirm them by replay";
  }
  std::vector<std::string> optionKeys() const override {
    return {"runs",         "seconds",      "keep_going",   "jobs",         "seed",
            "strategy",     "depth",        "points",       "isolation",    "time",
            "spurious",     "until_idle",   "max_steps",    "check_heap",   "recordings",
            "settled_runs", "hang_seconds", "wait_seconds", "show_output",  "store",
            "format",       "output",       "fail_on",      "suppressions", "known",
            "gtest",        "minimize",     "targets",      "sets",         "local_sites",
            "local_checks"};
  }
};

} // namespace

std::unique_ptr<Command> makeCheckCommand() { return std::make_unique<CheckCommand>(); }

} // namespace heddle
