#pragma once

#include "control/session.h"
#include "model/candidate.h"
#include "pipeline/candidates/set_annotations.h"
#include "pipeline/runs/captured_run.h"
#include "predict/atomicity_prediction.h"

namespace heddle {

/// The candidate that a predicted pattern is; empty when its sites cannot be told to a later run.
std::optional<Candidate> candidateOf(const RunRecord& record, const PredictedPattern& pattern);

/// Profiling runs for atomic sets: recordings with units of work and call stacks, from which
/// patterns are predicted. All runs together give one set of candidates. Needs the accesses to
/// shared memory to be known: only they are recorded. A run that shows more of them is made again.
class Profiling {
public:
  explicit Profiling(CommandContext& context) : context_(context) {}

  /// Makes so many runs, the first without preemption, the others at random, with priorities, and
  /// without preemption in other orders. Returns those that
  /// failed.
  Result<std::vector<CapturedRun>> profile(uint64_t runs);

  /// Before the first run; must outlive this.
  void setAnnotations(const SetAnnotations* annotations) { annotations_ = annotations; }

  const CandidateSet& candidates() const { return candidates_; }
  /// The sites of the last run; null before the first one.
  const SiteCatalog* sites() const { return sites_.get(); }
  uint64_t runs() const { return runs_; }
  uint64_t units() const { return units_; }
  /// Whether functions with objects were there at all.
  bool hasEntries() const { return hasEntries_; }

private:
  Status profileOnce(Session& session, uint64_t index, std::vector<CapturedRun>& failures);
  Status predict(AtomicityPrediction& prediction, const RunRecord& record);

  CommandContext& context_;
  const SetAnnotations* annotations_ = nullptr;
  CandidateSet candidates_;
  std::set<uint64_t> shared_; ///< identities of accesses to shared memory, and of declared units
  std::shared_ptr<const SiteCatalog> sites_;
  uint64_t runs_ = 0;
  uint64_t units_ = 0;
  bool hasEntries_ = false;
};

} // namespace heddle
