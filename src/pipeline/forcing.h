#pragma once

#include "control/workers.h"
#include "model/candidate.h"
#include "pipeline/approaches.h"
#include "pipeline/campaign.h"

#include <atomic>
#include <map>
#include <mutex>

namespace heddle {

/// How runs ended in which the sides of a candidate met and went on in one order.
struct OrderTally {
  uint64_t runs = 0;
  uint64_t failures = 0;
};

/// One kind of failure of a candidate's forced runs.
struct ForcedFailure {
  FailingRun run;      ///< the first one
  uint32_t orders = 0; ///< MeetingOrder bits of all of them
  uint64_t count = 0;
  bool met = false; ///< in the first one the candidate had come about
};

/// What forcing a candidate gave.
struct ForcedCandidate {
  Candidate candidate;
  Approaches approaches;
  uint64_t runs = 0;
  uint64_t met = 0;                  ///< runs in which it came about
  uint32_t reached = 0;              ///< RoleMask
  OrderTally orders[2];              ///< by who went on first; runs that showed both count for both
  OrderTally onlyOrder[2];           ///< runs that showed this order only
  std::optional<FailingRun> meeting; ///< the first run in which it came about and nothing failed
  std::map<std::string, ForcedFailure> failures; ///< by causeOf

  explicit ForcedCandidate(const Candidate& c) : candidate(c), approaches(c) {}

  bool allReached() const;
  bool failed() const { return !failures.empty(); }
  double probability() const { return runs == 0 ? 0 : double(met) / double(runs); }
};

/// Stage 3: runs directed at candidates, in rounds: a few for each, then more for those whose sites
/// were reached. A candidate is done when both orders were seen, with enough runs to judge a
/// failure; when its sites never met in 100 runs; or when they were not reached.
class Forcing {
public:
  struct Outcome {
    std::optional<Error> lost;
    bool outOfBudget = false;
  };

  explicit Forcing(Campaign& campaign);

  /// Forces candidates; called again with more of them it goes on with those that are open.
  Result<Outcome> force(const std::vector<Candidate>& candidates);
  const std::vector<ForcedCandidate>& forced() const { return forced_; }
  /// From the first failure on only candidates that failed get more runs.
  void stopAtFailure() { stopAtFailure_ = true; }

  /// Failures of runs without preemption, by causeOf: what happens there is no race's fault.
  Result<std::map<std::string, FailingRun>> failuresWithoutPreemption();

private:
  struct Slice {
    size_t candidate;
    uint64_t runs;
  };
  struct SliceResult {
    std::vector<RunResult> results;
    std::vector<FailingRun> stopped;      ///< runs that failed or met, with details
    std::optional<Approaches> approaches; ///< with what these runs told
    std::optional<Error> error;
  };

  std::vector<Slice> nextRound();
  uint64_t wantedRuns(const ForcedCandidate& forced) const;
  void runSlice(const Slice& slice, Session& session, SliceResult& result);
  PlanRequest planFor(const Slice& slice, uint64_t done, const Approach& approach) const;
  /// Runs a few of the slice in one way; false when the rest of it shall not be run.
  bool runWay(const Slice& slice, Session& session, SliceResult& result, bool& needsMeeting);
  /// Keeps a run that ended a batch; an error when control was lost in it.
  Status take(const Slice& slice, RunRecord record, SliceResult& result) const;
  Status runRound(const std::vector<Slice>& slices, std::vector<SliceResult>& results);
  void merge(const Slice& slice, SliceResult& result);
  /// Shows how far the round is; called by its workers.
  void showProgress(const SliceResult& result, bool isNew);

  Campaign& campaign_;
  Workers workers_;
  std::vector<ForcedCandidate> forced_;
  std::map<std::pair<TargetKind, std::vector<CandidateSide>>, size_t> known_;
  std::optional<std::map<std::string, FailingRun>> withoutPreemption_;
  bool stopAtFailure_ = false;
  std::mutex progressMutex_;
  StageProgress progress_;
};

/// Runs under one order, or without preemption, in which a failure must be absent before it counts
/// as the harm of a race.
inline constexpr uint64_t kControlRuns = 20;

} // namespace heddle
