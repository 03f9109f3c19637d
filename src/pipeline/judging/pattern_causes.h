#pragma once

#include "pipeline/candidates/profiling.h"
#include "pipeline/judging/cause_finder.h"
#include "pipeline/judging/violation_cases.h"

#include <optional>
#include <set>

namespace heddle {

/// Traces failures back to the unit of work that was torn apart: the patterns of the failing run,
/// and those that profiling has predicted, are forced until one leads to the failure that every run
/// with this failure has.
class PatternCauses final : public CauseFinder {
public:
  PatternCauses(CommandContext& context, Judge& judge, Forcing& forcing, ControlRuns& controls)
      : context_(context), judge_(judge), forcing_(forcing),
        cases_(context, judge, forcing, controls) {}

  /// Nothing follows a failure: its cause may take most of the time that is left.
  void setEndsSearch() { causeShare_ = kLastCauseShare; }
  /// Profiling runs that are made when somebody first needs them.
  void setProfilingRuns(uint64_t runs) { profilingRuns_ = runs; }
  /// Reads what --sets says, and looks whether the program has what it names.
  Status readSets();
  /// Makes the profiling runs, once; those that fail are added to `failures`, and confirmed.
  Status profile(std::vector<CapturedRun>& failures);
  /// Null before that.
  const Profiling* profiling() const { return profiling_ ? &*profiling_ : nullptr; }
  ViolationCases& cases() { return cases_; }

  Status explain(std::vector<CapturedRun>& failures, std::optional<double> seconds) override;

private:
  static constexpr double kCauseShare = 0.3; ///< of the time that is left, at most
  static constexpr double kLastCauseShare = 0.8;

  double secondsToExplain() const;
  bool needsExplanation(const CapturedRun& failing) const;
  Status findCause(const CapturedRun& failing);
  /// Forces the suspects that the run shows, and judges those that lead to its failure.
  Status pursue(const std::vector<Candidate>& suspects, const ShortenedRun& failing);
  /// The same with functions as units that only put together what others do.
  Status pursueComposed(const ShortenedRun& failing);
  /// What may be the cause of the failing run: what it shows, then what profiling has predicted.
  Result<std::vector<Candidate>> suspectsOf(const CapturedRun& failing);
  /// Looks which of the forced suspects is the cause: what fails most often first.
  Status judgeSuspects(const std::vector<Candidate>& suspects, const ShortenedRun& failing);

  CommandContext& context_;
  Judge& judge_;
  Forcing& forcing_;
  ViolationCases cases_;
  double causeShare_ = kCauseShare;
  uint64_t profilingRuns_ = 0;
  std::optional<SetAnnotations> sets_; ///< of the option; empty: it was not given
  std::optional<Profiling> profiling_; ///< when it is done
  std::set<std::string> pursued_;      ///< causes of failures
};

/// A check looks at so many patterns at most.
inline constexpr size_t kMaxPatternsOfACheck = 32;

} // namespace heddle
