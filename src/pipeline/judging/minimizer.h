#pragma once

#include "pipeline/judging/reduction.h"
#include "pipeline/runs/captured_run.h"

namespace heddle {

/// What a minimised run must have in common with the one that was found.
enum class Keeps {
  Failure,     ///< it fails from the same cause, as the same finding
  Meeting,     ///< moreover the sides of the race meet; in the same order, if it fails
  SameThreads, ///< moreover they are played by the same threads
};

struct MinimizeBudget {
  uint64_t runs = 0;
  double seconds = 0;
  Reach reach = kNearReach;
};

/// What a check spends on a finding: typical ones need some milliseconds.
inline constexpr MinimizeBudget kCheckBudget{1000, 1.0, kNearReach};

/// Looks for the failing schedule with the fewest preemptions. It runs the program many times with
/// parts of a schedule, in place where that works; its runs are counted apart from those of the
/// search. What it gives has not been confirmed: whoever uses it replays it like any other run.
/// Keeps a program running; used from one thread.
class Minimizer {
public:
  explicit Minimizer(CommandContext& context) : context_(context) {}

  struct Minimized {
    CapturedRun run;     ///< the cheapest one
    SwitchCounts before; ///< of the given run
    SwitchCounts after;
    uint64_t runs = 0;     ///< that it took
    bool finished = false; ///< no step was left to try when it ended
  };

  /// Empty when the program could not be made to do it again in the way that this needs, or when
  /// there is no time at all.
  std::optional<Minimized> minimize(const CapturedRun& failing, Keeps keeps,
                                    const MinimizeBudget& budget);

  /// As much as a check may spend now; nothing when its time is nearly over.
  static std::optional<MinimizeBudget> budgetOf(const CommandContext& context);

private:
  Result<Session*> session();

  CommandContext& context_;
  std::optional<Session> session_;
};

} // namespace heddle
