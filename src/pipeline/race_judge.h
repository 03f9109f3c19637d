#pragma once

#include "pipeline/harm.h"
#include "pipeline/judge.h"

#include <map>
#include <set>

namespace heddle {

/// Turns what forcing candidates gave into findings. A race is confirmed when the run in which its
/// sides met was replayed in a fresh process and they met again; candidates at the same two lines
/// are one finding. A failure that is found to be the harm of a race is no finding of its own.
class RaceJudge {
public:
  RaceJudge(CommandContext& context, Judge& judge) : context_(context), judge_(judge) {}

  /// Judges what forcing gave, and `others`: runs that failed in other stages. For failures that no
  /// candidate has led to, the races of the failing run are forced first. Returns the failing runs
  /// of which no race is the cause. May be called again when forcing went on; what has not changed
  /// since is not judged again.
  /// Races that broke nothing are judged for at most so many seconds; the others of them are left
  /// for the next call.
  Result<std::vector<FailingRun>> judge(Forcing& forcing, std::vector<FailingRun> others,
                                        std::optional<double> seconds);

  /// Failures, by causeOf, that are the harm of races.
  const std::set<std::string>& explained() const { return explained_; }

  /// Warns of races for whose confirmation there was no time; when all were judged.
  void warnOfUnconfirmed();

  /// Adds candidates that did not come about as potential findings, for who wants to look at them.
  void addPotential(const Forcing& forcing, const SiteCatalog& sites, bool withStatic);

private:
  using Group = std::vector<const ForcedCandidate*>; ///< of one pair of lines
  using Lines = std::set<std::string>;

  /// Forces the races of a failing run until one of them leads to the failure.
  Status findCause(const FailingRun& failing, Forcing& forcing);
  Status findCauses(const std::vector<FailingRun>& failures, Forcing& forcing);
  Status judgeRaces(Forcing& forcing, std::optional<double> seconds);
  /// The failures of forced runs that were not judged yet.
  std::vector<FailingRun> newFailures(const Forcing& forcing);
  /// Those of the runs whose failure is not the harm of a race.
  std::vector<FailingRun> unexplained(std::vector<FailingRun> failures) const;
  Status judgeGroup(const Group& group, Forcing& forcing);
  /// True when it was confirmed, and is a finding.
  Result<bool> judgeRace(const RaceCase& race, size_t pairs);
  /// A race that came about when there was no time to replay it.
  void keepUnconfirmed(const RaceCase& race);
  void keep(const RaceCase& race, const Judge::ConfirmedRun& confirmed, size_t pairs);
  /// The case of a group that says most: with harm, else what came about most often.
  /// Adds the failures that are the harm of one of them to `harm`.
  Result<std::optional<RaceCase>> bestCase(const Group& group, Forcing& forcing,
                                           std::set<std::string>& harm);

  CommandContext& context_;
  Judge& judge_;
  size_t unconfirmed_ = 0;
  std::set<std::string> explained_;  ///< causeOf the harm of races
  std::set<std::string> pursued_;    ///< causes whose races were forced
  std::map<Lines, uint64_t> judged_; ///< runs of a group when it was judged
  std::set<std::pair<const ForcedCandidate*, std::string>> taken_; ///< failures of forced runs
};

} // namespace heddle
