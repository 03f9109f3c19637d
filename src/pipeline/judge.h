#pragma once

#include "pipeline/confirmation.h"
#include "pipeline/minimizer.h"
#include "pipeline/runs/captured_run.h"

#include <map>
#include <set>

namespace heddle {

/// The note of findings that could not be confirmed in time.
inline constexpr const char* kUnconfirmedNote =
    "a run did it, but there was no time to see it happen again: the replay confirms it";
/// The same where there was no time to keep the run, either.
inline constexpr const char* kNotKeptNote =
    "a run did it, but there was no time to keep it: give more with --seconds";

/// Turns failing runs into findings: confirms them in a fresh process, minimises their schedules,
/// asks for the details, stores them. Runs of one cause are one finding, with the shortest of their
/// schedules. What could not be confirmed before the time was used up or Ctrl-C came is kept as a
/// potential finding.
class Judge {
public:
  Judge(CommandContext& context, std::string command)
      : context_(context), confirmation_(context), minimizer_(context),
        command_(std::move(command)) {}

  /// Replays one run of each cause that is new. Before anything else is done with failures: what is
  /// confirmed stays so, whatever there is no time for afterwards.
  Status confirm(const std::vector<FailingRun>& failures);
  /// Judges runs, given in order of the plan. A failure that does not replay becomes the reason for
  /// which control is lost.
  Status judge(const std::vector<FailingRun>& failures);
  /// Keeps a finding that somebody else has confirmed, by this run; one that is known only if more
  /// is known of it now.
  void keep(const Finding& finding, const FailingRun& run);
  /// Adds to a finding that is kept what turned out to be the same bug; once for each id.
  void addRelated(const std::string& id, RelatedPattern related);
  /// Keeps what a run did and what was not seen again, because there was no time.
  void keepUnconfirmed(Finding finding, const FailingRun& failing);
  /// Adds what no run did: not stored, since there is nothing to replay.
  void addPotential(Finding finding) {
    finding.test = context_.program().test;
    if (!context_.suppressions.suppress(finding))
      findings_.push_back(std::move(finding));
  }
  /// A run that a fresh process did not repeat becomes the reason for which control is lost.
  void reject(const FailingRun& run, const std::string& difference);
  /// Writes into the findings how many runs failed from each cause; when all were judged.
  void countRuns();

  const std::vector<Finding>& findings() const { return findings_; }
  const std::optional<Error>& lost() const { return lost_; }
  Confirmation& confirmation() { return confirmation_; }

  /// A run that was confirmed, and what its replay was.
  struct ConfirmedRun {
    FailingRun run;
    RunRecord replayed;
    std::optional<SwitchCounts> found; ///< of the run before it was minimised, if it was
  };
  /// The run with the fewest preemptions that shows the same and was confirmed like this one; the
  /// run itself when there is none, or no time to look for it.
  Result<ConfirmedRun> minimize(ConfirmedRun confirmed, Keeps keeps);

private:
  /// The run that failed first from a cause, whichever is shown.
  struct FirstRun {
    uint64_t index = 0; ///< 0: none
    StrategyKind strategy = StrategyKind::Random;
    uint64_t seed = 0;
  };
  struct Cause {
    FirstRun first;
    uint64_t runs = 0;
    size_t length = SIZE_MAX;              ///< decisions of the shortest schedule that was judged
    std::optional<size_t> finding;         ///< index
    std::optional<ConfirmedRun> confirmed; ///< while there is no finding
  };
  /// A run that has to be judged: the first of its cause, or one with a shorter schedule.
  struct Candidate {
    Cause* cause;
    const FailingRun* failing;
  };

  std::vector<Candidate> choose(const std::vector<FailingRun>& failures);
  Cause* causeFor(const FailingRun& failing);
  Status judgeOne(Cause& cause, const FailingRun& failing);
  /// The run, or another one of its cause, if it was confirmed. Empty: it is rejected, or kept as
  /// it is because there was no time.
  Result<std::optional<ConfirmedRun>> confirmedRun(Cause& cause, const FailingRun& failing);
  /// The finding of a run that replayed as `replayed`, with an interleaving if that can be had.
  Finding describe(const ConfirmedRun& confirmed);
  /// The finding of a run that nobody replayed.
  Finding describeUnconfirmed(const FailingRun& failing) const;
  void keep(Cause& cause, const Finding& finding, const FailingRun& failing);
  /// Writes into a finding which run failed first from the cause of this one.
  void tellFirstRun(Finding& finding, const FailingRun& failing) const;
  void store(const Finding& finding, const FailingRun& failing);
  void replace(Finding& known, const Finding& finding, const FailingRun& failing);

  CommandContext& context_;
  Confirmation confirmation_;
  Minimizer minimizer_;
  std::string command_;
  std::vector<Finding> findings_;
  std::map<std::string, Cause> causes_;
  std::set<std::string> changed_; ///< ids of findings that differ from what is stored
  std::optional<Error> lost_;
};

/// Writes into a finding how often its run changes threads, and what that was before.
void addSwitches(Finding& finding, const Judge::ConfirmedRun& confirmed);

/// The command that replays a finding of the command's store; it names the program where others
/// have the same id.
std::string storedReplay(const CommandContext& context, const std::string& id);

/// What the store keeps of a run beside its finding.
StoredRun storedRun(const CommandContext& context, const std::string& command,
                    const FailingRun& failing);

} // namespace heddle
