#include "reversal_guide.h"

#include "pull_order.h"

#include <algorithm>

namespace heddle::explore {

bool ReversalGuide::belongsHere(const Reversal& reversal, const Steps& kept) const {
  for (size_t j = reversal.i; j <= reversal.n; ++j) {
    const Event& main = mainOf(j);
    bool isLater = !reversal.isPending && main.name == reversal.later->name;
    if (!isLater && contains(kept, main.name)) {
      if (stage(j).stage.isPull &&
          !pullsFirst(execution_, stage(j), united(stage(j).before, kept), nullptr))
        return false;
      continue;
    }
    if (stage(j).stage.isPull || !isDefault(stage(j), main, kept))
      return false;
  }
  return true;
}

bool ReversalGuide::isDefault(const ExecutionStage& at, const Event& main,
                              const Steps& kept) const {
  bool isThere = isSubset(kept, at.before);
  if (isThere || !isData(main.operation.kind))
    return at.stage.byDefault && (isThere || !hasConflict(at, main, kept));
  if (equivalence_ == Equivalence::ValueSchedules)
    return comesLast(main, united(at.before, kept));
  return readsLast(main, at.before, kept);
}

bool ReversalGuide::readsLast(const Event& main, const Steps& before, const Steps& kept) const {
  Steps steps = united(before, kept);
  bool isClear = true;
  for (const DataAccess& access : main.data) {
    if (!access.reads)
      continue;
    EventId only = kInitial;
    size_t writers = 0;
    for (EventId writer : execution_.writers(access.cell)) {
      if (!contains(steps, execution_.event(writer).name))
        continue;
      only = writer;
      ++writers;
    }
    if (writers <= 1 && access.source != only)
      return false;
    isClear &= writers <= 1;
  }
  if (isClear)
    return true;
  auto last = builder_.lastWriters(before, kept);
  return std::all_of(main.data.begin(), main.data.end(), [&](const DataAccess& access) {
    return !access.reads || access.source == last[access.cell];
  });
}

bool ReversalGuide::hasConflict(const ExecutionStage& at, const Event& main,
                                const Steps& kept) const {
  return std::any_of(execution_.events().begin(), execution_.events().end(),
                     [&](const Event& event) {
                       return contains(kept, event.name) && !contains(at.before, event.name) &&
                              event.name != main.name && inConflict(event, main);
                     });
}

bool ReversalGuide::comesLast(const Event& main, const Steps& steps) const {
  for (const DataAccess& access : main.data) {
    EventId last = kInitial;
    for (EventId writer : execution_.writers(access.cell))
      if (execution_.event(writer).name != main.name &&
          contains(steps, execution_.event(writer).name))
        last = writer;
    if (access.reads && access.source != last)
      return false;
    if (access.writes && last != kInitial && last > execution_.find(main.name))
      return false;
  }
  return true;
}

bool ReversalGuide::comesTooLate(size_t i, StepName turn, const Steps& steps,
                                 const Event& pulled) const {
  for (size_t k = 0; k < i; ++k) {
    const ExecutionStage& earlier = stage(k);
    if (earlier.stage.isPull && earlier.stage.turn == turn.thread &&
        earlier.before[turn.thread] == turn.index &&
        pullsFirst(execution_, earlier, stage(i).before, nullptr) &&
        !pullsFirst(execution_, earlier, steps, &pulled))
      return true;
  }
  return false;
}

} // namespace heddle::explore
