#include "pipeline/candidates/suspects.h"

#include "control/memory_limit.h"
#include "pipeline/candidates/prediction.h"

#include <algorithm>
#include <tuple>

namespace heddle {
namespace {

/// The failure is searched for behind this many races; more would take too long.
constexpr size_t kMaxSuspects = 12;

/// The unordered ones, in the order in which the run came to them.
std::vector<RacePair> unorderedPairs(const RacePrediction& races) {
  std::vector<RacePair> pairs = races.pairs();
  std::erase_if(pairs, [](const RacePair& pair) { return !pair.unordered; });
  auto rank = [](const RacePair& pair) {
    return std::tuple(pair.position, pair.first.site, pair.first.caller, pair.second.site,
                      pair.second.caller);
  };
  std::sort(pairs.begin(), pairs.end(),
            [&](const RacePair& a, const RacePair& b) { return rank(a) < rank(b); });
  return pairs;
}

} // namespace

Result<std::vector<Candidate>> suspectsOf(CommandContext& context, const CapturedRun& failing) {
  auto session = Session::create(context.sharedProgram(), context.sessions.freshOptions());
  if (!session)
    return session.error();
  PlanRequest request = context.plans.replayPlan(failing.schedule, failing.sites, Until::StageEnd);
  request.plan.flags |= kPlanRecordListed | kPlanCallers | kPlanStacks | kPlanDumpSites;
  RacePrediction races;
  bool isShort = false;
  auto take = [&](std::span<const Event> events) {
    isShort = isShort || memoryIsShort();
    if (!isShort)
      races.add(events);
  };
  auto report = session->execute(request, take, true);
  if (!report)
    return report.error();
  context.tally.judging += report->results.size();
  if (isShort)
    context.notes.noteLeftOut("the races of failing runs after their first part");
  std::vector<Candidate> suspects;
  if (!report->last || report->last->result.outcome != failing.record.result.outcome)
    return suspects;
  for (const RacePair& pair : unorderedPairs(races))
    if (auto candidate = candidateOf(*report->last, pair);
        candidate && suspects.size() < kMaxSuspects) {
      sortSides(*candidate);
      suspects.push_back(std::move(*candidate));
    }
  return suspects;
}

} // namespace heddle
