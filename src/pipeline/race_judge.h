#pragma once

#include "pipeline/judge.h"
#include "pipeline/race_finding.h"

#include <set>

namespace heddle {

/// Turns what forcing candidates gave into findings. A race is confirmed when the run in which its
/// sides met was replayed in a fresh process and they met again; candidates at the same two lines
/// are one finding. A failure that is found to be the harm of a race is no finding of its own.
class RaceJudge {
public:
  RaceJudge(Campaign& campaign, Judge& judge) : campaign_(campaign), judge_(judge) {}

  Status judge(Forcing& forcing);
  /// Those of the runs whose failure is not the harm of a race.
  std::vector<FailingRun> unexplained(std::vector<FailingRun> failures) const;

  /// Adds candidates that did not come about as potential findings, for who wants to look at them.
  void addPotential(const Forcing& forcing, const SiteCatalog& sites);

private:
  using Group = std::vector<const ForcedCandidate*>; ///< of one pair of lines

  Status judgeGroup(const Group& group, Forcing& forcing);
  Status judgeRace(const RaceCase& race, size_t pairs);
  /// A race that came about when there was no time to replay it.
  void keepUnconfirmed(const RaceCase& race);
  void keep(const RaceCase& race, const Judge::ConfirmedRun& confirmed, size_t pairs);
  /// The case of a group that says most: with harm, else what came about most often.
  Result<std::optional<RaceCase>> bestCase(const Group& group, Forcing& forcing);

  Campaign& campaign_;
  Judge& judge_;
  size_t unconfirmed_ = 0;
  std::set<std::string> explained_; ///< causeOf the harm of races
};

} // namespace heddle
