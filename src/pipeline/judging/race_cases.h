#pragma once

#include "pipeline/forcing/forcing.h"
#include "pipeline/judging/cause_finder.h"
#include "pipeline/judging/harm.h"
#include "pipeline/judging/judge.h"

#include <map>
#include <set>

namespace heddle {

/// The cases of races: what forcing candidates gave. A race is confirmed when the run in which its
/// sides met was replayed in a fresh process and they met again; candidates at the same two lines
/// are one finding. A failure that is found to be the harm of a race is no finding of its own.
///
/// It may be asked again when forcing went on; what has not changed since is not judged again.
class RaceCases final : public CauseFinder {
public:
  RaceCases(CommandContext& context, Judge& judge, Forcing& forcing, ControlRuns& controls)
      : context_(context), judge_(judge), forcing_(forcing), controls_(controls) {}

  /// Failures of forced runs.
  void collect(std::vector<CapturedRun>& failures) override;
  /// For failures that no candidate has led to, the races of the failing run are forced first.
  /// Nothing is done while there was nothing to force.
  Status explain(std::vector<CapturedRun>& failures, std::optional<double> seconds) override;

  /// Failures, by causeOf, that are the harm of races.
  const std::set<std::string>& explained() const { return explained_; }

  /// Warns of races for whose confirmation there was no time; when all were judged.
  void warnOfUnconfirmed();

  /// Adds candidates that were not triggered as potential findings, for who wants to look at them.
  void addPotential(const SiteCatalog& sites, bool withStatic);

private:
  using Group = std::vector<const ForcedCandidate*>; ///< of one pair of lines
  using Lines = std::set<std::string>;

  /// Forces the races of a failing run until one of them leads to the failure.
  Status findCause(const CapturedRun& failing);
  Status findCauses(const std::vector<CapturedRun>& failures);
  Status judgeRaces(std::optional<double> seconds);
  /// The failures of forced runs that were not judged yet.
  std::vector<CapturedRun> newFailures();
  Status judgeGroup(const Group& group);
  /// True when it was confirmed, and is a finding.
  Result<bool> judgeRace(const RaceCase& race, size_t pairs);
  /// A race that was triggered when there was no time to replay it.
  void keepUnconfirmed(const Case& item);
  /// The case of a group that says most: with harm, else what was triggered most often.
  /// Adds the failures that are the harm of one of them to `harm`.
  Result<std::optional<RaceCase>> bestCase(const Group& group, std::set<std::string>& harm);

  CommandContext& context_;
  Judge& judge_;
  Forcing& forcing_;
  ControlRuns& controls_;
  size_t unconfirmed_ = 0;
  std::set<std::string> explained_;  ///< causeOf the harm of races
  std::set<std::string> pursued_;    ///< causes whose races were forced
  std::map<Lines, uint64_t> judged_; ///< runs of a group when it was judged
  std::set<std::pair<const ForcedCandidate*, std::string>> taken_; ///< failures of forced runs
};

} // namespace heddle
