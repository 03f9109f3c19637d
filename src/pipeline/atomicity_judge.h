#pragma once

#include "pipeline/atomicity_finding.h"
#include "pipeline/judge.h"

#include <set>

namespace heddle {

/// Turns what forcing patterns gave into findings. A violation is confirmed when the run in which
/// the pattern was completed was replayed in a fresh process and completed it again; patterns of
/// one number at the same lines are one finding. A failure that is found to be the harm of a
/// violation is no finding of its own.
class AtomicityJudge {
public:
  AtomicityJudge(Campaign& campaign, Judge& judge) : campaign_(campaign), judge_(judge) {}

  /// `notes`: also violations of guessed sets that broke nothing; those of declared sets always
  /// count. What leads to a failure whose cause (causeOf) is
  /// known already is left out.
  Status judge(Forcing& forcing, bool notes, const std::set<std::string>& known);
  /// Those of the runs whose failure is not the harm of a violation.
  std::vector<FailingRun> unexplained(std::vector<FailingRun> failures) const;
  /// The failures of forced runs.
  static std::vector<FailingRun> failuresOf(const Forcing& forcing);
  /// Adds patterns that did not come about as potential findings.
  void addPotential(const Forcing& forcing, const SiteCatalog& sites);

private:
  Status judgeOne(const ForcedCandidate& forced, Forcing& forcing,
                  const std::set<std::string>& known);
  void keep(const ViolationCase& violation, const Judge::ConfirmedRun& confirmed);
  void keepUnconfirmed(const ViolationCase& violation);

  Campaign& campaign_;
  Judge& judge_;
  std::set<std::string> explained_; ///< causeOf the harm of violations
  std::set<std::string> judged_;    ///< by number and lines
  bool notes_ = true;
};

} // namespace heddle
