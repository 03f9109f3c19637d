#include "pipeline/stages/static_pairs.h"

#include <algorithm>

namespace heddle {

void StaticPairs::analyze() {
  if (targets_ || search_.context.options().targets == "predicted")
    return;
  targets_ = staticTargets(search_.context);
  search_.context.localSites.set(targets_->localSites);
}

Status StaticPairs::prepare() {
  if (isQuicklyAnalysed(search_.context.program()))
    analyze();
  return Success{};
}

bool StaticPairs::mayForce(const Candidate& candidate) const {
  return !isOnlySource() || sides_.contains(candidate.sides);
}

Turn StaticPairs::advance() {
  if (!targets_)
    return {};
  if (!targets_->problem.empty()) {
    std::string_view problem = targets_->problem;
    search_.addSummary("static analysis: " + std::string(problem.substr(0, problem.find('\n'))));
    return {};
  }
  size_t needed = search_.samples ? 2 : isOnlySource() ? 0 : 1;
  for (const Candidate& candidate : targets_->candidates) {
    size_t executed = std::count_if(
        candidate.sides.begin(), candidate.sides.end(),
        [&](const CandidateSide& side) { return search_.learning.hasExecuted(side.site); });
    sides_.insert(candidate.sides);
    added_ += executed >= needed && search_.prediction.add(candidate);
  }
  size_t pairs = targets_->candidates.size();
  search_.addSummary("static analysis: " + std::to_string(pairs) +
                     (pairs == 1 ? " pair" : " pairs") + " that could race, " +
                     std::to_string(added_) + " of them not shown by recordings");
  search_.facts().fromSource = {pairs, added_, targets_->localSites.size(),
                                search_.context.localSites.refuted()};
  return {};
}

} // namespace heddle
