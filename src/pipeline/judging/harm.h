#pragma once

#include "describe/atomicity_finding.h"
#include "describe/race_finding.h"
#include "pipeline/forcing/control_runs.h"
#include "pipeline/forcing/forcing_rounds.h"

#include <functional>

namespace heddle {

/// A race that was triggered in a forced run, with what is known about its harm.
struct RaceCase {
  const ForcedCandidate* forced = nullptr;
  CapturedRun run; ///< to be replayed: the failing one, else one in which the sides met
  bool harmful = false;
  /// Index of the order under which it fails, while it does not under the other one.
  std::optional<unsigned> failingOrder;
};

/// Decides which failure of the forced runs, if any, is the harm of the race: one that is absent
/// in at least kControlRuns runs under the other order or without preemption.
Result<RaceCase> judgeHarm(const ForcedCandidate& forced, ControlRuns& controls);

/// A violation that was triggered in a forced run, with what is known about its harm.
struct ViolationCase {
  const ForcedCandidate* forced = nullptr;
  CapturedRun run; ///< to be replayed: the failing one, else one in which the pattern was completed
  bool harmful = false;
  std::optional<SwitchCounts> found =
      {}; ///< of the run that `run` was made from, if it was shorter
};

/// Decides which failure of the forced runs, if any, is the harm of the violation: one that is
/// absent in kControlRuns runs without preemption in which the violation stays away, and which
/// `needs` the pattern. Of several ones that it leads to most often.
using NeedsPattern = std::function<Result<bool>(const std::string& cause)>;
Result<ViolationCase> judgeHarmOfPattern(const ForcedCandidate& forced, ControlRuns& controls,
                                         const NeedsPattern& needs);

/// What a reader is told of it.
Evidence evidenceOf(const ForcedCandidate& forced);
Evidence evidenceOf(const RaceCase& race);
Evidence evidenceOf(const ViolationCase& violation);

} // namespace heddle
