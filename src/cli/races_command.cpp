#include "cli/search_command.h"

namespace heddle {
namespace {

class RacesCommand : public SearchCommand {
public:
  RacesCommand() : SearchCommand(races) {}

  const char* name() const override { return "races"; }
  const char* summary() const override {
    return "predict data races and deadlocks from recordings, and make them happen";
  }
  std::vector<std::string> optionKeys() const override {
    return {"runs",    "seconds",      "keep_going",   "jobs",        "seed",       "isolation",
            "time",    "spurious",     "until_idle",   "max_steps",   "check_heap", "recordings",
            "trials",  "hang_seconds", "wait_seconds", "show_output", "store",      "format",
            "output",  "fail_on",      "suppressions", "known",       "gtest",      "minimize",
            "targets", "local_sites",  "local_checks"};
  }
};

} // namespace

std::unique_ptr<Command> makeRacesCommand() { return std::make_unique<RacesCommand>(); }

} // namespace heddle
