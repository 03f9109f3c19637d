#pragma once

#include "pipeline/confirmation.h"
#include "pipeline/forcing.h"
#include "pipeline/judge.h"

namespace heddle {

/// A race that came about in a forced run, with what is known about its harm.
struct RaceCase {
  const ForcedCandidate* forced = nullptr;
  FailingRun run; ///< to be replayed: the failing one, else one in which the sides met
  bool harmful = false;
  /// Index of the order under which it fails, while it does not under the other one.
  std::optional<unsigned> failingOrder;
};

/// Decides which failure of the forced runs, if any, is the harm of the race: one that is absent
/// in at least kControlRuns runs under the other order or without preemption.
Result<RaceCase> judgeHarm(const ForcedCandidate& forced, Forcing& forcing);

/// What is reported. `recorded` is the detailed replay when there is one.
Finding buildRaceFinding(const RaceCase& race, const RunRecord& replayed,
                         const RecordedRun* recorded, int normalExitStatus);

/// The events up to the last access of the meeting: where nothing failed, the end of the story.
RecordedRun untilMeeting(const RecordedRun& recorded);

/// A candidate that did not come about, as a potential finding. `sites` resolves its identities.
Finding buildPotentialFinding(const ForcedCandidate& forced, const SiteCatalog& sites);

} // namespace heddle
