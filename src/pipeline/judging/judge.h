#pragma once

#include "pipeline/judging/case.h"
#include "pipeline/judging/confirmation.h"
#include "pipeline/judging/findings.h"
#include "pipeline/judging/minimizer.h"

#include <functional>
#include <map>

namespace heddle {

/// Turns captured runs into findings, on one path for all of them: confirms a run in a fresh
/// process, minimises its schedule, asks for the details, keeps the finding. What could not be
/// confirmed before the time limit or Ctrl-C is kept as a potential finding. Runs that fail from
/// one cause are one finding, with the shortest of their schedules.
class Judge {
public:
  Judge(CommandContext& context, std::string command)
      : context_(context), confirmation_(context), minimizer_(context),
        findings_(context, std::move(command)) {}

  /// Replays one run of each cause that is new. Before anything else is done with failures: what is
  /// confirmed stays so, whatever there is no time for afterwards.
  Status confirm(const std::vector<CapturedRun>& failures);
  /// Judges runs that failed, given in order of the plan. A failure that does not replay becomes
  /// the reason for which control is lost.
  Status judge(const std::vector<CapturedRun>& failures);

  /// The verdict on a case, if it is confirmed: the replay is the same run, and shows it again.
  /// What is different is rejected; for what has not ended in time `notEnded` is called.
  Result<std::optional<Verdict>> confirm(const Case& item, const std::function<void()>& notEnded);
  /// The rest of the path for a case that is confirmed: its finding, with the fewest preemptions
  /// and with details. It is not kept yet.
  Result<Finding> describe(const Case& item, Verdict& verdict);
  /// Keeps a case that there was no time to confirm.
  void keepUnconfirmed(const Case& item);
  /// A run that a fresh process did not repeat becomes the reason for which control is lost.
  void reject(const CapturedRun& run, const std::string& difference);
  /// Writes into the findings how many runs failed from each cause; when all were judged. With
  /// `merges`, findings of one bug become one.
  void countRuns(bool merges = false);

  Findings& findings() { return findings_; }
  const Findings& findings() const { return findings_; }
  const std::optional<Error>& lost() const { return lost_; }
  Confirmation& confirmation() { return confirmation_; }
  Minimizer& minimizer() { return minimizer_; }

private:
  /// The run that failed first from a cause, whichever is shown.
  struct FirstFailure {
    uint64_t index = 0; ///< 0: none
    StrategyKind strategy = StrategyKind::Random;
    uint64_t seed = 0;
  };
  struct Cause {
    FirstFailure first;
    uint64_t runs = 0;
    size_t length = SIZE_MAX;         ///< decisions of the shortest schedule that was judged
    std::optional<size_t> finding;    ///< its place
    std::optional<Verdict> confirmed; ///< while there is no finding
  };
  /// A run that has to be judged: the first of its cause, or one with a shorter schedule.
  struct Chosen {
    Cause* cause;
    const CapturedRun* run;
  };

  std::vector<Chosen> choose(const std::vector<CapturedRun>& failures);
  Cause* causeFor(const CapturedRun& failing);
  Status judgeOne(Cause& cause, const CapturedRun& failing);
  /// The verdict on the run, or on another one of its cause, if it was confirmed. Empty: it is
  /// rejected, or kept as it is because there was no time.
  Result<std::optional<Verdict>> verdictOn(Cause& cause, const FailureCase& item);
  /// Writes into a finding which run failed first from the cause of this one.
  void tellFirstFailure(Finding& finding, const CapturedRun& run) const;
  /// Puts the run with the fewest preemptions into the verdict that shows the same and was
  /// confirmed like this one; nothing when there is none, or no time to look for it.
  Status minimize(Verdict& verdict, Keeps keeps);

  CommandContext& context_;
  Confirmation confirmation_;
  Minimizer minimizer_;
  Findings findings_;
  std::map<std::string, Cause> causes_;
  std::optional<Error> lost_;
};

} // namespace heddle
