#pragma once

#include "pipeline/confirmation.h"
#include "pipeline/forcing.h"

#include <functional>

namespace heddle {

/// A violation that came about in a forced run, with what is known about its harm.
struct ViolationCase {
  const ForcedCandidate* forced = nullptr;
  FailingRun run; ///< to be replayed: the failing one, else one in which the pattern was completed
  bool harmful = false;
};

/// Decides which failure of the forced runs, if any, is the harm of the violation: one that is
/// absent in kControlRuns runs without preemption in which the violation stays away, and which
/// `needs` the pattern. Of several ones that it leads to most often.
using NeedsPattern = std::function<Result<bool>(const std::string& cause)>;
Result<ViolationCase> judgeHarmOfPattern(const ForcedCandidate& forced, Forcing& forcing,
                                         const NeedsPattern& needs);

/// Whether the run failed before the last access of the pattern was executed: u' (in pattern 10 u)
/// saw what the other unit had done by half, and failed of it.
bool isCutShort(const RunRecord& record, const Candidate& candidate);

/// What is reported. `recorded` is the detailed replay when there is one.
Finding buildViolationFinding(const ViolationCase& violation, const RunRecord& replayed,
                              const RecordedRun* recorded, int normalExitStatus);

/// A violation that is the same bug as another one; `finding` is what was built for it.
RelatedPattern relatedOf(const ViolationCase& violation, const Finding& finding);

/// A pattern that did not come about, as a potential finding. `sites` resolves its identities.
Finding buildPotentialViolation(const ForcedCandidate& forced, const SiteCatalog& sites);

/// What is wrong, in one sentence: which members, which functions, what is in between.
/// `functions` are those of u and u'.
std::string patternSentence(const PatternInfo& pattern, const std::string& u,
                            const std::string& other);

} // namespace heddle
