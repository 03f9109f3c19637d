#include "pipeline/judging/case.h"

#include "describe/finding_builder.h"

namespace heddle {

Finding FailureCase::describe(const CapturedRun& run, const RunRecord& replayed,
                              const RecordedRun* recorded) const {
  return buildFinding(run, replayed, recorded, normalExitStatus_);
}

} // namespace heddle
