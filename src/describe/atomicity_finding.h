#pragma once

#include "describe/evidence.h"
#include "model/captured_run.h"
#include "model/finding.h"
#include "model/recorded_run.h"

namespace heddle {

/// Whether the run failed before the last access of the pattern was executed: u' (in pattern 10 u)
/// saw what the other unit had done by half, and failed of it.
bool isCutShort(const RunRecord& record, const Candidate& candidate);

/// A violation that was triggered in `run`. `recorded` is the detailed replay when there is one.
Finding buildViolationFinding(const Evidence& evidence, const CapturedRun& run,
                              const RunRecord& replayed, const RecordedRun* recorded,
                              int normalExitStatus);

/// A violation that is the same bug as another one; `finding` is what was built for it.
RelatedPattern relatedOf(const Candidate& candidate, const CapturedRun& run,
                         const Finding& finding);

/// A pattern that was not triggered, as a potential finding. `sites` resolves its identities.
Finding buildPotentialViolation(const Evidence& evidence, const SiteCatalog& sites);

/// What is wrong, in one sentence: which members, which functions, what is in between.
/// `functions` are those of u and u'.
std::string patternSentence(const PatternInfo& pattern, const std::string& u,
                            const std::string& other);

} // namespace heddle
