#pragma once

#include "pipeline/campaign.h"

#include <set>

namespace heddle {

/// Stage 2: finds the sites that touch memory which several threads use and one of them writes.
/// Each recording can only add sites; the union, with what earlier commands stored for this build,
/// becomes the campaign's set of scheduling points.
class Learning {
public:
  Learning(Campaign& campaign, Session& session);

  /// Records until nothing new shows up for a few recordings, at most `options.recordings` times.
  /// A recording that fails is returned.
  Result<std::optional<FailingRun>> learn();
  /// One more recording; between rounds of sampling, with a seed of its own.
  Result<std::optional<FailingRun>> learnOnce(uint64_t seed);

  uint64_t recordings() const { return recordings_; }

private:
  void loadStored();
  /// Adds what the last recording found; true when there was something new.
  Result<bool> collect();
  void publish();

  Campaign& campaign_;
  Session& session_;
  std::set<uint64_t> shared_;
  uint64_t recordings_ = 0;
};

/// Names the build of a program in the store.
std::string buildName(const Program& program);

} // namespace heddle
