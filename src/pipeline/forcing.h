#pragma once

#include "control/workers.h"
#include "describe/evidence.h"
#include "model/candidate.h"
#include "pipeline/approaches.h"
#include "pipeline/runs/captured_run.h"

#include <atomic>
#include <deque>
#include <map>
#include <mutex>
#include <set>

namespace heddle {

/// One kind of failure of a candidate's forced runs.
struct ForcedFailure {
  FailingRun run;      ///< the first one
  uint32_t orders = 0; ///< MeetingOrder bits of all of them
  uint64_t count = 0;
  bool met = false;      ///< in the first one the candidate had come about
  uint64_t metCount = 0; ///< of those in which it had
};

/// What forcing a candidate gave.
struct ForcedCandidate {
  Candidate candidate;
  Approaches approaches;
  uint64_t runs = 0;
  uint64_t met = 0;      ///< runs in which it came about
  uint64_t firstMet = 0; ///< the first of them, from 1
  struct {
    uint64_t runs = 0, met = 0;
  } varied;                          ///< of these runs, those that were to show another course
  uint64_t thrashings = 0;           ///< see RunResult
  uint32_t reached = 0;              ///< RoleMask
  OrderTally orders[2];              ///< by who went on first; runs that showed both count for both
  OrderTally onlyOrder[2];           ///< runs that showed this order only
  std::optional<FailingRun> meeting; ///< the first run in which it came about and nothing failed
  std::map<std::string, ForcedFailure> failures; ///< by causeOf

  explicit ForcedCandidate(const Candidate& c) : candidate(c), approaches(c) {}

  bool allReached() const;
  bool failed() const { return !failures.empty(); }
  /// Whether a run failed from this cause in which the sides met.
  bool leadsTo(const std::string& cause) const;
  /// Share of the runs in which the sides met that failed from this cause.
  double shareOf(const std::string& cause) const;
  /// Whether that is so of any cause.
  bool leadsToFailure() const;
  /// Share of the runs that tried to bring it about in the best way.
  double probability() const {
    uint64_t tries = runs - varied.runs;
    return tries == 0 ? 0 : double(met - varied.met) / double(tries);
  }
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

  explicit Forcing(CommandContext& context);

  /// Forces candidates; called again with more of them it goes on with those that are open.
  Result<Outcome> force(const std::vector<Candidate>& candidates);
  /// Forces one that is suspected to be the cause of a failure, and none of the others.
  Result<Outcome> pursue(const Candidate& suspect);
  /// Whether there are candidates that want more runs.
  bool hasOpen() const { return !nextRound().empty(); }
  const std::deque<ForcedCandidate>& forced() const { return forced_; }
  /// From the first failure on only candidates that may be its cause get more runs.
  void stopAtFailure() { stopAtFailure_ = true; }
  /// A failure is known whose cause is not: patterns that broke nothing are brought about in all
  /// ways, and more often.
  void seekFailure() { seeksFailure_ = true; }

  /// Failures, by causeOf, that need no race: of kControlRuns runs without preemption and of as
  /// many in which any thread goes on at each synchronisation operation. In a program without races
  /// these are all that can happen. Empty when there was no time for so many.
  Result<std::optional<std::set<std::string>>> failuresWithoutRaces();
  /// Failures, by causeOf, of kControlRuns runs without preemption in which this pattern did not
  /// come about; empty when there are not so many.
  Result<std::optional<std::set<std::string>>> failuresWithout(const Candidate& pattern);
  /// Random runs that fail from this cause, whatever came about in them: up to kMostWitnesses of
  /// kWitnessRuns. Fewer when there is no time.
  Result<std::vector<FailingRun>> witnesses(const std::string& cause);
  /// How many random runs there are in which the pattern did not come about; counted up to
  /// `wanted`, in up to kWitnessRuns. Fewer when there is no time.
  Result<uint64_t> randomRunsWithout(const Candidate& pattern, uint64_t wanted);

private:
  struct Slice {
    size_t candidate;
    uint64_t runs;
    bool fine;   ///< accesses to shared memory are scheduling points
    bool varied; ///< in all ways, not only in the best one
  };
  struct SliceResult {
    std::vector<RunResult> results;
    std::vector<FailingRun> stopped;      ///< runs that failed or met, with details
    std::optional<Approaches> approaches; ///< with what these runs told
    std::optional<Error> error;
    uint64_t killed = 0; ///< runs that were ended because the time was over
  };

  size_t add(const Candidate& candidate);
  Result<Outcome> forceOpen();
  std::vector<Slice> nextRound() const;
  /// Leaves out what is more than the runs that are left.
  void limitRuns(std::vector<Slice>& slices) const;
  bool mayRun(size_t candidate) const;
  uint64_t wantedRuns(const ForcedCandidate& forced) const;
  void runSlice(const Slice& slice, Session& session, SliceResult& result);
  PlanRequest planFor(const Slice& slice, uint64_t done, const Approach& approach) const;
  /// Runs a few of the slice in one way; false when the rest of it shall not be run.
  bool runWay(const Slice& slice, Session& session, SliceResult& result, bool& needsMeeting);
  /// Keeps a run that ended a batch; an error when control was lost in it.
  Status take(const PlanRequest& request, RunRecord record, SliceResult& result) const;
  Status runRound(const std::vector<Slice>& slices, std::vector<SliceResult>& results);
  void merge(const Slice& slice, SliceResult& result);
  /// Adds the failures of kControlRuns runs that switch at synchronisation operations only; false
  /// when there was no time for all of them.
  Result<bool> addControlRuns(StrategyKind strategy, Session& session,
                              std::set<std::string>& failures);
  /// Shows how far the round is; called by its workers.
  void showProgress(const SliceResult& result, bool isNew);

  CommandContext& context_;
  Workers workers_;
  std::deque<ForcedCandidate> forced_; ///< who has a pointer to one keeps it
  std::map<CandidateKey, size_t> known_;
  std::optional<std::set<std::string>> withoutRaces_;
  std::map<std::string, std::vector<FailingRun>> witnesses_; ///< by cause
  bool stopAtFailure_ = false;
  bool seeksFailure_ = false;
  std::optional<size_t> pursued_; ///< the only one that gets runs
  std::mutex progressMutex_;
  StageProgress progress_;
};

/// Runs of each kind of control in which a failure must be absent before it counts as the harm of a
/// race.
inline constexpr uint64_t kControlRuns = 20;

/// Random runs in which a failure is looked for that came without what is said to be its cause, and
/// how many such failing runs are enough.
inline constexpr uint64_t kWitnessRuns = 200;
inline constexpr size_t kMostWitnesses = 8;

} // namespace heddle
