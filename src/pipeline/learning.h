#pragma once

#include "pipeline/campaign.h"
#include "pipeline/prediction.h"

#include <set>

namespace heddle {

/// Stage 2: finds the sites that touch memory which several threads use and one of them writes.
/// Each recording can only add sites; the union, with what earlier commands stored for this build,
/// becomes the campaign's set of scheduling points. What those sites do is recorded, too, and goes
/// to the prediction.
class Learning {
public:
  Learning(Campaign& campaign, Prediction& prediction);

  /// Makes a plan of one run a recording; its events go to the sink. `complete`: every access is
  /// recorded up to a limit, for a run before which it is not known what is shared.
  EventSink prepare(PlanRequest& request, bool complete);
  /// Takes in what such a run found.
  Status takeIn(Session& session, const RunRecord& record);

  /// Records until nothing new shows up for `quiet` recordings, or `options.recordings` times and
  /// nothing new in the last one; with `stopAtFailure` until one fails. Returns those that failed.
  Result<std::vector<FailingRun>> learn(Session& session, unsigned quiet, bool stopAtFailure);
  /// One more recording; between rounds of sampling, with a seed of its own. Needs a session that
  /// learn() had.
  Result<std::optional<FailingRun>> learnOnce(uint64_t seed);

  /// Whether a recording has been there.
  bool hasExecuted(SiteIdentity site) const { return executed_.contains(raw(site)); }

  uint64_t recordings() const { return recordings_; }
  const CandidateSet& candidates() const { return prediction_.candidates(); }

private:
  void loadStored();
  void publish();

  Campaign& campaign_;
  Prediction& prediction_;
  Session* session_ = nullptr;
  std::set<uint64_t> shared_, executed_;
  uint64_t recordings_ = 0;
};

/// Names the build of a program in the store.
std::string buildName(const Program& program);

} // namespace heddle
