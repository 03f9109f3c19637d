#include "order_pairs.h"

#include "execution.h"

namespace heddle::explore {

namespace {

bool isAboutThreads(OperationKind kind) {
  return kind == OperationKind::Spawn || kind == OperationKind::Join ||
         kind == OperationKind::Exit || kind == OperationKind::Fail;
}

bool shareData(const Event& a, const Event& b) {
  for (const DataAccess& mine : a.data)
    for (const DataAccess& other : b.data)
      if (mine.cell == other.cell && (mine.writes || other.writes))
        return true;
  return false;
}

} // namespace

std::vector<OrderedPair> orderedPairs(const Run& run) {
  Execution execution(run, {});
  std::vector<OrderedPair> pairs;
  const auto& events = execution.events();
  for (size_t i = 0; i < events.size(); ++i) {
    const Event& second = events[i];
    if (isAboutThreads(second.operation.kind))
      continue;
    Steps known = second.threadPast; // with what the pairs of this step imply
    for (size_t j = i; j-- > 0;) {
      const Event& first = events[j];
      if (first.name.thread == second.name.thread || contains(known, first.name) ||
          isAboutThreads(first.operation.kind) ||
          !(shareData(first, second) || inConflict(first, second)))
        continue;
      join(known, first.past);
      pairs.push_back({first.operation, second.operation});
    }
  }
  return pairs;
}

} // namespace heddle::explore
