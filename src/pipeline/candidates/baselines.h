#pragma once

#include "model/candidate.h"
#include "pipeline/runs/captured_run.h"

namespace heddle {

/// What a way to look for atomicity violations that does not force them has found.
struct BaselineResult {
  uint64_t runs = 0;
  uint64_t detections = 0; ///< runs in which it saw a violation
  uint64_t first = 0;      ///< the first of them, from 1; 0: none
  uint64_t violations = 0; ///< different ones
  uint64_t failures = 0;   ///< runs that failed
  uint64_t thrashings = 0;
};

/// Random runs, each watched for the eleven patterns. The scheduling points are those of forced
/// runs: sync operations, and the accesses and entries of all candidates.
Result<BaselineResult> monitor(CommandContext& context, const CandidateSet& candidates,
                               uint64_t runs);

/// Runs of AtomFuzzer's strategy with the same points; see strategy/lock_pattern.h.
Result<BaselineResult> lookForLockPattern(CommandContext& context, const CandidateSet& candidates,
                                          uint64_t runs);

} // namespace heddle
