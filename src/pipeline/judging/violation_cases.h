#pragma once

#include "pipeline/forcing/forcing.h"
#include "pipeline/judging/harm.h"
#include "pipeline/judging/judge.h"

#include <map>
#include <set>

namespace heddle {

/// A failing run with few preemptions, and how many the run had that was found.
struct ShortenedRun {
  CapturedRun run;
  SwitchCounts found;
};

/// The cases of violations of atomicity: what forcing patterns gave. A violation is confirmed when
/// the run in which the pattern was completed was replayed in a fresh process and completed it
/// again; patterns of one number at the same lines are one. A failure that is found to be the harm
/// of a violation is no finding of its own.
///
/// The patterns of two units of work that break the same are one finding: what leads to one failure
/// in one set, or what concerns the same members of it where nothing fails. The simplest pattern
/// stands for the others, which are its related ones.
class ViolationCases {
public:
  ViolationCases(CommandContext& context, Judge& judge, Forcing& forcing, ControlRuns& controls)
      : context_(context), judge_(judge), forcing_(forcing), controls_(controls) {}

  /// Judges what forcing gave. `notes`: also violations of guessed sets that broke nothing; those
  /// of declared sets always count. What leads to a failure whose cause (causeOf) is known already
  /// is left out.
  Status judge(bool notes, const std::set<std::string>& known);
  /// Judges a pattern as the cause of a failure; one that is not is left as it is. unexplained()
  /// says which. `shortest` is the run with this failure that has the fewest preemptions so far.
  Status judgeCause(const ForcedCandidate& forced, const std::string& cause,
                    const ShortenedRun& shortest);
  /// Takes out runs whose failure is the harm of a violation.
  void removeExplained(std::vector<CapturedRun>& failures) const;
  bool explains(const std::string& cause) const { return explained_.contains(cause); }
  /// Whether the pattern is triggered in a replay of the run.
  Result<bool> isIn(const Candidate& pattern, const CapturedRun& failing);
  /// The failures of forced runs.
  std::vector<CapturedRun> failures() const;
  /// Adds patterns that were not triggered as potential findings.
  void addPotential(const SiteCatalog& sites);

private:
  using Group = std::vector<ViolationCase>; ///< of one bug
  /// Groups in the order in which their first case came.
  struct Groups {
    std::vector<Group> groups;
    std::map<std::string, size_t> byName;
    void add(ViolationCase violation);
  };

  /// The run again, under the watch for the pattern; empty when it is not triggered.
  Result<std::optional<CapturedRun>> watch(const Candidate& pattern, const CapturedRun& failing);
  /// Lets the shortest run show the violation, if it does.
  Status showIn(const ShortenedRun& shortest, const std::string& cause, ViolationCase& violation);
  /// The case of a candidate that was triggered, if it is to be reported.
  Result<std::optional<ViolationCase>> caseOf(const ForcedCandidate& forced,
                                              const std::set<std::string>& known);
  /// Whether there are so many runs without the pattern that they would show this failure if it had
  /// nothing to do with the pattern.
  Result<bool> wouldShowWithout(const ForcedCandidate& forced, const std::string& cause);
  /// Whether runs without the pattern could show this failure, and do not: random runs with it have
  /// the pattern, or another one that leads to it alone.
  Result<bool> isNeeded(const ForcedCandidate& forced, const std::string& cause);
  Status collect(const std::set<std::string>& known, Groups& groups);
  /// `unconfirmed`: what there is no time to confirm is kept as potential.
  Status keepGroup(Group& group, bool unconfirmed);
  /// Confirms and keeps one of a group, or says that it is related to one that is kept.
  Status keepOne(const ViolationCase& violation, bool unconfirmed);

  CommandContext& context_;
  Judge& judge_;
  Forcing& forcing_;
  ControlRuns& controls_;
  std::set<std::string> explained_; ///< causeOf the harm of violations
  std::set<std::string> judged_;    ///< by number and lines
  std::set<std::string>
      unjudged_; ///< the same of patterns that were triggered when no time was left
  std::map<std::string, std::string> kept_; ///< ids of findings, by the name of their group
  bool notes_ = true;
};

} // namespace heddle
