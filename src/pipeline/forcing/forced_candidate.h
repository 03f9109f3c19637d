#pragma once

#include "describe/evidence.h"
#include "model/candidate.h"
#include "model/captured_run.h"
#include "pipeline/forcing/approaches.h"

#include <map>
#include <optional>
#include <string>

namespace heddle {

/// One kind of failure of a candidate's forced runs.
struct ForcedFailure {
  CapturedRun run;     ///< the first one
  uint32_t orders = 0; ///< MeetingOrder bits of all of them
  uint64_t count = 0;
  bool met = false;      ///< in the first one the candidate had been triggered
  uint64_t metCount = 0; ///< of those in which it had
};

/// What forcing a candidate gave.
struct ForcedCandidate {
  Candidate candidate;
  Approaches approaches;
  uint64_t runs = 0;
  uint64_t met = 0;      ///< runs in which it was triggered
  uint64_t firstMet = 0; ///< the first of them, from 1
  struct {
    uint64_t runs = 0, met = 0;
  } varied;                ///< of these runs, those that were to show another course
  uint64_t thrashings = 0; ///< see RunResult
  uint32_t reached = 0;    ///< RoleMask
  OrderTally orders[2];    ///< by who went on first; runs that showed both count for both
  OrderTally onlyOrder[2]; ///< runs that showed this order only
  std::optional<CapturedRun>
      meeting; ///< the first run in which it was triggered and nothing failed
  std::map<std::string, ForcedFailure> failures; ///< by causeOf

  explicit ForcedCandidate(const Candidate& c) : candidate(c), approaches(c) {}

  /// Takes in the result of a run. `isVaried`: it was to show another course.
  void add(const RunResult& run, bool failed, bool isVaried);
  /// Takes in a run that was captured because it failed or because the sides met. Of several that
  /// fail from one cause the one is kept that shows most.
  void add(CapturedRun run);

  bool allReached() const;
  bool failed() const { return !failures.empty(); }
  /// Whether a run failed from this cause in which the sides met.
  bool leadsTo(const std::string& cause) const;
  /// Share of the runs in which the sides met that failed from this cause.
  double shareOf(const std::string& cause) const;
  /// Whether that is so of any cause.
  bool leadsToFailure() const;
  /// Share of the runs that tried to bring it about in the best way.
  double probability() const {
    uint64_t tries = runs - varied.runs;
    return tries == 0 ? 0 : double(met - varied.met) / double(tries);
  }
  /// The sites of a run in which it was triggered or that failed; null when there is none.
  const SiteCatalog* sites() const;
};

} // namespace heddle
