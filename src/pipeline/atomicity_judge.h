#pragma once

#include "pipeline/harm.h"
#include "pipeline/judge.h"

#include <map>
#include <set>

namespace heddle {

/// Turns what forcing patterns gave into findings. A violation is confirmed when the run in which
/// the pattern was completed was replayed in a fresh process and completed it again; patterns of
/// one number at the same lines are one. A failure that is found to be the harm of a violation is
/// no finding of its own.
///
/// The patterns of two units of work that break the same are one finding: what leads to one failure
/// in one set, or what concerns the same members of it where nothing fails. The simplest pattern
/// stands for the others, which are its related ones.
class AtomicityJudge {
public:
  AtomicityJudge(CommandContext& context, Judge& judge) : context_(context), judge_(judge) {}

  /// Replays failing runs, before anything else is done with them.
  Status confirmFailures(const std::vector<FailingRun>& failures) {
    return judge_.confirm(failures);
  }
  /// `notes`: also violations of guessed sets that broke nothing; those of declared sets always
  /// count. What leads to a failure whose cause (causeOf) is known already is left out.
  Status judge(Forcing& forcing, bool notes, const std::set<std::string>& known);
  /// Judges a pattern as the cause of a failure; one that is not is left as it is. unexplained()
  /// says which.
  Status judgeCause(const ForcedCandidate& forced, Forcing& forcing, const std::string& cause);
  /// Those of the runs whose failure is not the harm of a violation.
  std::vector<FailingRun> unexplained(std::vector<FailingRun> failures) const;
  bool explains(const std::string& cause) const { return explained_.contains(cause); }
  /// Whether the pattern comes about in a replay of the run.
  Result<bool> isIn(const Candidate& pattern, const FailingRun& failing);
  /// The failures of forced runs.
  static std::vector<FailingRun> failuresOf(const Forcing& forcing);
  /// Adds patterns that did not come about as potential findings.
  void addPotential(const Forcing& forcing, const SiteCatalog& sites);

private:
  using Group = std::vector<ViolationCase>; ///< of one bug
  /// Groups in the order in which their first case came.
  struct Groups {
    std::vector<Group> groups;
    std::map<std::string, size_t> byName;
    void add(ViolationCase violation);
  };

  /// The case of a candidate that came about, if it is to be reported.
  Result<std::optional<ViolationCase>> caseOf(const ForcedCandidate& forced, Forcing& forcing,
                                              const std::set<std::string>& known);
  /// Whether there are so many runs without the pattern that they would show this failure if it had
  /// nothing to do with the pattern.
  static Result<bool> wouldShowWithout(const ForcedCandidate& forced, const std::string& cause,
                                       Forcing& forcing);
  /// Whether runs without the pattern could show this failure, and do not: random runs with it have
  /// the pattern, or another one that leads to it alone.
  Result<bool> isNeeded(const ForcedCandidate& forced, const std::string& cause, Forcing& forcing);
  Status collect(Forcing& forcing, const std::set<std::string>& known, Groups& groups);
  /// `unconfirmed`: what there is no time to confirm is kept as potential.
  Status keepGroup(Group& group, bool unconfirmed);
  /// The replay that confirms it; empty when there is none.
  Result<std::optional<Judge::ConfirmedRun>> confirm(const ViolationCase& violation,
                                                     bool unconfirmed);
  /// Keeps the finding that stands for a group; its id, empty when it is suppressed.
  Result<std::string> keep(ViolationCase violation, Judge::ConfirmedRun confirmed);
  void keepUnconfirmed(const ViolationCase& violation);

  CommandContext& context_;
  Judge& judge_;
  std::set<std::string> explained_; ///< causeOf the harm of violations
  std::set<std::string> judged_;    ///< by number and lines
  std::set<std::string> unjudged_;  ///< the same of patterns that came about when no time was left
  std::map<std::string, std::string> kept_; ///< ids of findings, by the name of their group
  bool notes_ = true;
};

} // namespace heddle
