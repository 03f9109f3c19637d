#pragma once

#include "control/workers.h"
#include "pipeline/forcing/forcing_rounds.h"
#include "pipeline/runs/captured_run.h"

#include <mutex>

namespace heddle {

/// Runs that are directed at candidates, in rounds; see ForcingRounds. Slices run on the command's
/// workers and are merged in their order.
class Forcing {
public:
  struct Outcome {
    std::optional<Error> lost;
    bool outOfBudget = false;
  };

  explicit Forcing(CommandContext& context);

  /// Forces candidates; called again with more of them it goes on with those that are open.
  Result<Outcome> force(const std::vector<Candidate>& candidates);
  /// Forces one that is suspected to be the cause of a failure, and none of the others.
  Result<Outcome> pursue(const Candidate& suspect);
  /// Whether there are candidates that want more runs.
  bool hasOpen() const { return !rounds_.nextRound(rules()).empty(); }
  const std::deque<ForcedCandidate>& forced() const { return rounds_.forced(); }
  /// From the first failure on only candidates that may be its cause get more runs.
  void stopAtFailure() { rules_.stopAtFailure = true; }
  /// A failure is known whose cause is not; see ForcingRounds::Rules.
  void seekFailure() { rules_.seeksFailure = true; }

private:
  struct SliceResult {
    std::vector<RunResult> results;
    std::vector<CapturedRun> stopped;     ///< runs that failed or met, with details
    std::optional<Approaches> approaches; ///< with what these runs told
    std::optional<Error> error;
    uint64_t killed = 0; ///< runs that were ended because the time was over
    bool failed() const;
  };

  ForcingRounds::Rules rules() const;
  Result<Outcome> forceOpen();
  /// Takes over the results of a round in their order.
  void mergeRound(const std::vector<ForcedSlice>& slices, std::vector<SliceResult>& results,
                  Outcome& outcome);
  void runSlice(const ForcedSlice& slice, Session& session, SliceResult& result);
  PlanRequest planFor(const ForcedSlice& slice, uint64_t done, const Approach& approach) const;
  /// Runs a few of the slice in one way; false when the rest of it shall not be run.
  bool runWay(const ForcedSlice& slice, Session& session, SliceResult& result, bool& needsMeeting);
  /// Keeps a run that ended a batch; an error when control was lost in it.
  Status take(const PlanRequest& request, RunRecord record, SliceResult& result) const;
  Status runRound(const std::vector<ForcedSlice>& slices, std::vector<SliceResult>& results);
  void merge(const ForcedSlice& slice, SliceResult& result);
  /// Shows how far the round is; called by its workers.
  void showProgress(const SliceResult& result, bool isNew);

  CommandContext& context_;
  ForcingRounds rounds_;
  ForcingRounds::Rules rules_;
  std::mutex progressMutex_;
  StageProgress progress_;
};

} // namespace heddle
