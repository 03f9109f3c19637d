#pragma once

#include "model/candidate.h"
#include "pipeline/runs/captured_run.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace heddle {

/// Runs without what is said to be a cause, which a judge asks for: a failure that happens in them,
/// too, is not its harm. What was asked for once is kept.
class ControlRuns {
public:
  explicit ControlRuns(CommandContext& context) : context_(context) {}

  /// Failures, by causeOf, that need no race: of kControlRuns runs without preemption and of as
  /// many in which any thread goes on at each synchronisation operation. In a program without races
  /// these are all that can happen. Empty when there was no time for so many. With `timeAny` time
  /// limits may also end at any point, as in runs that show a failure only then.
  Result<std::optional<std::set<std::string>>> failuresWithoutRaces(bool timeAny);
  /// Failures, by causeOf, of kControlRuns runs without preemption in which this pattern did not
  /// come about; empty when there are not so many.
  Result<std::optional<std::set<std::string>>> failuresWithout(const Candidate& pattern);
  /// Random runs that fail from this cause, whatever was triggered in them: up to kMaxWitnesses of
  /// kWitnessRuns. Fewer when there is no time.
  Result<std::vector<CapturedRun>> witnesses(const std::string& cause);
  /// How many random runs there are in which the pattern was not triggered; counted up to
  /// `wanted`, in up to kWitnessRuns. Fewer when there is no time.
  Result<uint64_t> randomRunsWithout(const Candidate& pattern, uint64_t wanted);

private:
  /// Makes runs in one session while `next` has a plan; `take` learns from what they gave. False:
  /// there was no time for all of them.
  using Next = std::function<std::optional<PlanRequest>()>;
  using Take = std::function<void(BatchReport& report, const PlanRequest& request)>;
  Result<bool> make(const Next& next, const Take& take);
  /// The cause of the last run, if it failed.
  void addFailure(BatchReport& report, const PlanRequest& request,
                  std::set<std::string>& failures) const;

  CommandContext& context_;
  std::map<bool, std::set<std::string>> withoutRaces_;        ///< by timeAny
  std::map<std::string, std::vector<CapturedRun>> witnesses_; ///< by cause
};

/// Random runs in which a failure is looked for that came without what is said to be its cause, and
/// how many such failing runs are enough.
inline constexpr uint64_t kWitnessRuns = 200;
inline constexpr size_t kMaxWitnesses = 8;

} // namespace heddle
