#pragma once

#include "model/finding.h"
#include "model/recorded_run.h"
#include "pipeline/judging/minimizer.h"
#include "pipeline/judging/verdict.h"

namespace heddle {

/// Something that is judged: the run that shows it, what has to happen again, and how it is said.
/// The judge does the rest, the same for all: confirm, minimise, describe, keep.
class Case {
public:
  virtual ~Case() = default;

  virtual const CapturedRun& run() const = 0;
  /// What a replay and a shorter run have to show beside the failure.
  virtual Keeps keeps() const = 0;
  /// What is said of a replay that is the same run but does not show it.
  virtual const char* notShown() const { return ""; }
  /// The finding that `run` is, which replayed as `replayed`. `recorded` is the detailed replay
  /// when there is one.
  virtual Finding describe(const CapturedRun& run, const RunRecord& replayed,
                           const RecordedRun* recorded) const = 0;
  /// Whether the detailed replay shows what is to be described; `replayed` is the one before.
  virtual bool isShownBy(const RunRecord& recorded, const RunRecord& replayed) const = 0;
};

/// A run that failed, from whatever cause.
class FailureCase final : public Case {
public:
  FailureCase(const CapturedRun& run, int normalExitStatus)
      : run_(run), normalExitStatus_(normalExitStatus) {}

  const CapturedRun& run() const override { return run_; }
  Keeps keeps() const override { return Keeps::Failure; }
  Finding describe(const CapturedRun& run, const RunRecord& replayed,
                   const RecordedRun* recorded) const override;
  bool isShownBy(const RunRecord& recorded, const RunRecord& replayed) const override {
    return recorded.result.outcome == replayed.result.outcome;
  }

private:
  const CapturedRun& run_;
  int normalExitStatus_;
};

} // namespace heddle
