#pragma once

#include "pipeline/candidates/prediction.h"
#include "pipeline/runs/captured_run.h"

#include <map>
#include <set>

namespace heddle {

/// Finds the sites that touch memory which several threads use and one of them writes.
/// Each recording can only add sites; the union, with what earlier commands stored for this build,
/// becomes the command's set of scheduling points. What those sites do is recorded, too, and goes
/// to the prediction.
class Learning {
public:
  Learning(CommandContext& context, Prediction& prediction);

  /// Makes a plan of one run a recording; its events go to the sink. `complete`: every access is
  /// recorded up to a limit, for a run before which it is not known what is shared.
  EventSink prepare(PlanRequest& request, bool complete);
  /// Takes in what such a run found.
  Status takeIn(Session& session, const RunRecord& record);

  /// Records until nothing new shows up for `quiet` recordings, or `options.recordings` times and
  /// nothing new in the last one; with `stopAtFailure` until one fails. Returns those that failed.
  Result<std::vector<CapturedRun>> learn(Session& session, unsigned quiet, bool stopAtFailure);
  /// One more recording; between rounds of sampling, with a seed of its own. Needs a session that
  /// learn() had.
  Result<std::optional<CapturedRun>> learnOnce(uint64_t seed);

  /// Whether earlier commands have recorded this program with these arguments: what they have shown
  /// is known, and a recording more is enough to see that nothing has changed.
  bool isKnown() const { return earlierRecordings_ != 0; }

  /// Whether a recording has been there.
  bool hasExecuted(SiteIdentity site) const { return executed_.contains(raw(site)); }

  /// How often a recording has seen a site of the set, at most; it may have been there more often.
  uint64_t executionsOf(uint64_t site) const {
    auto found = executions_.find(site);
    return found == executions_.end() ? 0 : found->second;
  }

  uint64_t recordings() const { return recordings_; }
  /// Events of the longest recording.
  uint64_t mostEvents() const { return mostEvents_; }
  const CandidateSet& candidates() const { return prediction_.candidates(); }

private:
  void loadStored();
  void noteLeftOut(const RunRecord& record);
  /// Where runs are long, a run without preemption that counts how often each site of the set is
  /// executed: recordings leave out most executions of those that are executed very often.
  Result<std::optional<CapturedRun>> measureExecutions();
  void publish();
  /// Keeps what is known now for later commands, if there is more of it than before.
  void keep();

  CommandContext& context_;
  Prediction& prediction_;
  Session* session_ = nullptr;
  std::set<uint64_t> shared_, executed_;
  std::map<uint64_t, uint64_t> executions_; ///< of shared sites
  uint64_t recordings_ = 0;
  uint64_t mostEvents_ = 0;
  uint64_t earlierRecordings_ = 0; ///< of other commands
  size_t keptFacts_ = 0;           ///< how much was known when it was kept
  double longestSeconds_ = 0;      ///< of a recording
};

} // namespace heddle
