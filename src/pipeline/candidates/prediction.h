#pragma once

#include "control/ring_reader.h"
#include "model/candidate.h"
#include "model/run_record.h"
#include "model/site_catalog.h"
#include "predict/lock_cycles.h"
#include "predict/race_prediction.h"

#include <memory>
#include <optional>

namespace heddle {

/// The candidate that a pair of a recording is; empty when its sites cannot be told to a later
/// run.
std::optional<Candidate> candidateOf(const RunRecord& record, const RacePair& pair);

/// Runs the trace analyses on recordings as they are made, and collects what they find.
class Prediction {
public:
  /// Before a recording; the session's events go to the sink. The sink must not outlive this. What
  /// comes when memory is short is left out.
  EventSink beginRun();
  /// After it. The record has the sites that resolve the ids of the recording; true when there were
  /// new candidates.
  bool endRun(const RunRecord& record);

  /// Whether something of the last recording was left out.
  bool isCut() const { return cut_; }

  /// Adds what another analysis believes.
  bool add(Candidate candidate) { return candidates_.add(std::move(candidate)); }

  const CandidateSet& candidates() const { return candidates_; }
  /// The sites of the last recording; null before the first one.
  const SiteCatalog* sites() const { return sites_.get(); }

private:
  struct Analyses {
    RacePrediction races;
    LockCycles cycles;
  };

  bool addRaces(const RunRecord& record);
  bool addCycles(const RunRecord& record);

  std::unique_ptr<Analyses> analyses_;
  bool cut_ = false;
  CandidateSet candidates_;
  std::shared_ptr<const SiteCatalog> sites_;
};

} // namespace heddle
