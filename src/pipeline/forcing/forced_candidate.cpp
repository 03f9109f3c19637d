#include "pipeline/forcing/forced_candidate.h"

#include "pipeline/runs/cause.h"

#include <algorithm>

namespace heddle {
namespace {

constexpr size_t kMaxFailures = 16; ///< different ones of a candidate

uint32_t sidesOf(const CapturedRun& run) {
  return run.record.meeting ? run.record.meeting->sideCount : 0;
}

} // namespace

void ForcedCandidate::add(const RunResult& run, bool failed, bool isVaried) {
  ++runs;
  met += run.meetings != 0;
  varied.runs += isVaried;
  varied.met += isVaried && run.meetings != 0;
  if (run.meetings != 0 && firstMet == 0)
    firstMet = runs;
  thrashings += run.thrashings;
  reached |= run.reached;
  for (int order = 0; order < 2; ++order) {
    uint32_t bit = order == 0 ? kFirstRoleFirst : kSecondRoleFirst;
    if (!(run.orders & bit))
      continue;
    ++orders[order].runs;
    orders[order].failures += failed;
    onlyOrder[order].runs += run.orders == bit;
    onlyOrder[order].failures += run.orders == bit && failed;
  }
}

void ForcedCandidate::add(CapturedRun run) {
  if (run.record.failure == FailureKind::None) {
    if (!meeting)
      meeting = std::move(run);
    return;
  }
  std::string cause = causeOf(run);
  if (failures.size() == kMaxFailures && !failures.contains(cause))
    return;
  ForcedFailure& failure = failures[cause];
  const RunResult& ended = run.record.result;
  failure.orders |= ended.orders;
  failure.metCount += ended.meetings != 0;
  bool better = failure.count++ == 0 || (!failure.met && ended.meetings != 0) ||
                (failure.met && sidesOf(run) > sidesOf(failure.run));
  if (!better)
    return;
  failure.met = ended.meetings != 0;
  failure.run = std::move(run);
}

bool ForcedCandidate::allReached() const {
  uint32_t all = (1u << targetOf(candidate).roleCount) - 1;
  return (reached & all) == all;
}

bool ForcedCandidate::leadsTo(const std::string& cause) const {
  auto failure = failures.find(cause);
  return failure != failures.end() && failure->second.met;
}

double ForcedCandidate::shareOf(const std::string& cause) const {
  auto failure = failures.find(cause);
  return failure == failures.end() || met == 0 ? 0 : double(failure->second.metCount) / double(met);
}

bool ForcedCandidate::leadsToFailure() const {
  return std::any_of(failures.begin(), failures.end(),
                     [](const auto& failure) { return failure.second.met; });
}

const SiteCatalog* ForcedCandidate::sites() const {
  if (meeting)
    return meeting->record.sites.get();
  for (const auto& [cause, failure] : failures)
    if (failure.run.record.sites)
      return failure.run.record.sites.get();
  return nullptr;
}

} // namespace heddle
