#pragma once

#include "control/ring_reader.h"
#include "model/candidate.h"
#include "model/site_catalog.h"
#include "predict/lock_cycles.h"
#include "predict/race_prediction.h"

#include <memory>

namespace heddle {

/// Runs the trace analyses on recordings as they are made, and collects what they find.
class Prediction {
public:
  /// Before a recording; the session's events go to the sink. The sink must not outlive this.
  EventSink beginRun();
  /// After it. `sites` resolves the ids of the recording; true when there were new candidates.
  bool endRun(const SiteCatalog& sites);

  const CandidateSet& candidates() const { return candidates_; }
  uint64_t events() const { return events_; }

private:
  struct Analyses {
    RacePrediction races;
    LockCycles cycles;
  };

  bool addRaces(const SiteCatalog& sites);
  bool addCycles(const SiteCatalog& sites);

  std::unique_ptr<Analyses> analyses_;
  CandidateSet candidates_;
  uint64_t events_ = 0;
};

} // namespace heddle
