#include "pipeline/runs/tally.h"

namespace heddle {

void Tally::add(const RunResult& result, bool failure) {
  ++runs;
  steps += result.steps;
  if (failure || result.outcome == Outcome::Failed)
    ++failed;
  else if (result.outcome == Outcome::Finished || result.outcome == Outcome::Explored)
    ++finished;
  else if (result.outcome == Outcome::Cut)
    ++cut;
  else if (result.outcome == Outcome::Idle)
    ++idle;
}

void Tally::noteCut(const RunRecord& record) {
  if (record.result.outcome == Outcome::Cut && cutPlace.empty())
    cutPlace = placeOf(record);
}

} // namespace heddle
