#pragma once

#include "model/report.h"
#include "pipeline/atomicity_judge.h"
#include "pipeline/profiling.h"

#include <set>

namespace heddle {

/// What a command does with atomic sets: profiles, forces the patterns that could come about,
/// judges them; and traces failures of other stages back to the unit of work that was torn apart.
class PatternStage {
public:
  /// Of a check, which has other stages beside this one and reports no notes.
  enum class Part { OfACheck, Whole };

  PatternStage(CommandContext& context, Judge& judge, Part part)
      : context_(context), judge_(context, judge), minimizer_(context), part_(part) {}

  /// Reads what --sets says, and looks whether the program has what it names. Before any run: what
  /// is wrong with the command line must not wait for what is wrong with the program.
  Status readSets();

  /// Profiles, forces and judges. `failures` are runs whose cause is not known: those of this stage
  /// are added, and those that a violation explains taken out. `known` are causes of failures
  /// (causeOf) that need no violation.
  Status force(std::vector<FailingRun>& failures, const std::set<std::string>& known,
               Report& report);

  /// Takes out of `failures` those that are the harm of a violation, which becomes a finding. For
  /// each cause that is new the patterns of the failing run are forced, until one leads to the
  /// failure that every run with this failure has.
  Status explain(std::vector<FailingRun>& failures);

private:
  bool ofACheck() const { return part_ == Part::OfACheck; }
  Forcing& forcing();
  Status profile(std::vector<FailingRun>& failures);
  Result<Forcing::Outcome> forcePatterns(const std::vector<Candidate>& candidates);
  std::optional<double> seconds() const;
  double secondsToExplain() const;
  bool needsExplanation(const FailingRun& failing) const;
  Status findCause(const FailingRun& failing);
  /// What may be the cause of the failing run: what it shows, then what profiling has predicted.
  Result<std::vector<Candidate>> suspectsOf(const FailingRun& failing);
  Status pursue(const Candidate& suspect);
  /// Looks which of the forced suspects is the cause: what fails most often first.
  Status judgeSuspects(const std::vector<Candidate>& suspects, const std::string& cause);
  Status compareWith(const std::string& method, Report& report);
  void summarize(Report& report) const;

  CommandContext& context_;
  AtomicityJudge judge_;
  Minimizer minimizer_;
  Part part_;
  std::optional<SetAnnotations> sets_; ///< of the option; empty: it was not given
  std::optional<Profiling> profiling_; ///< when it is done
  std::optional<Forcing> forcing_;
  std::set<std::string> pursued_; ///< causes of failures
};

} // namespace heddle
