#include "report/decisive_step.h"

#include <set>
#include <string_view>

namespace heddle {

namespace {

/// Follows which threads wait for something, as far as the steps show it.
class Waiting {
public:
  void see(const Step& step) {
    const std::string_view action = step.action;
    if (action.starts_with("wait ") || action == "wait")
      conditions_.insert(step.thread);
    else if (action.starts_with("woken"))
      conditions_.erase(step.thread);
  }

  /// Whether a thread whose last step this is could not go on after it.
  bool endsWith(const Step& step) const {
    const std::string_view action = step.action;
    return action == "exit" || action.starts_with("exit process") || action.starts_with("sleep") ||
           step.value == "(waits)" || conditions_.contains(step.thread);
  }

private:
  std::set<unsigned> conditions_; ///< threads that wait for a condition variable
};

} // namespace

std::optional<size_t> decisiveStep(const std::vector<Step>& steps) {
  std::optional<size_t> interruption;
  std::optional<size_t> choice;
  Waiting waiting;
  for (size_t i = 0; i < steps.size(); ++i) {
    const bool changesThread = i > 0 && steps[i - 1].thread != steps[i].thread;
    if (steps[i].switched && changesThread) {
      choice = i;
      if (!waiting.endsWith(steps[i - 1]))
        interruption = i;
    }
    waiting.see(steps[i]);
  }
  return interruption ? interruption : choice;
}

} // namespace heddle
