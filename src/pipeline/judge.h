#pragma once

#include "pipeline/campaign.h"
#include "pipeline/confirmation.h"
#include "pipeline/forcing.h"

#include <set>

namespace heddle {

struct RaceCase;

/// Turns failing runs into findings: confirms each in a fresh process, asks for the details,
/// stores it. Findings with the same id are one.
class Judge {
public:
  Judge(Campaign& campaign, std::string command)
      : campaign_(campaign), confirmation_(campaign), command_(std::move(command)) {}

  /// Judges one run. A failure that does not replay becomes the reason for which control is lost.
  Status judge(const FailingRun& failing);
  /// Judges what forcing candidates gave. Candidates at the same two lines are one finding.
  Status judge(Forcing& forcing);
  /// Judges a failing run unless its failure was found to be the harm of a race.
  Status judgeUnexplained(const FailingRun& failing);

  const std::vector<Finding>& findings() const { return findings_; }
  const std::optional<Error>& lost() const { return lost_; }
  Confirmation& confirmation() { return confirmation_; }

private:
  /// Judges the candidates of one pair of lines.
  Status judgeGroup(const std::vector<const ForcedCandidate*>& group, Forcing& forcing,
                    std::vector<const ForcedFailure*>& unexplained);
  Status judgeRace(const RaceCase& race, size_t pairs);
  bool isConfirmed(const FailingRun& run, const Confirmation::Verdict& verdict);
  void keep(const Finding& finding, const FailingRun& failing);

  Campaign& campaign_;
  Confirmation confirmation_;
  std::string command_;
  std::vector<Finding> findings_;
  std::optional<Error> lost_;
  std::set<std::string> explained_; ///< failureKey of the harm of races
};

/// What the store keeps of a run beside its finding.
StoredRun storedRun(const Campaign& campaign, const std::string& command,
                    const FailingRun& failing);

} // namespace heddle
