#include "reversals.h"

#include "probes.h"
#include "reversal_guide.h"

#include <algorithm>
#include <functional>
#include <set>

namespace heddle::explore {

namespace {

bool isFailure(const Event& event) { return event.operation.kind == OperationKind::Fail; }

class Reversals {
public:
  Reversals(const Execution& execution, Equivalence equivalence)
      : execution_(execution), equivalence_(equivalence), builder_(execution, equivalence),
        guide_(execution, equivalence, builder_) {
    hasWideReads_ =
        std::any_of(execution.events().begin(), execution.events().end(), [](const Event& event) {
          return std::count_if(event.data.begin(), event.data.end(),
                               [](const DataAccess& access) { return access.reads; }) > 1;
        });
  }

  std::vector<Branch> all() {
    size_t first = execution_.inherited();
    for (size_t n = first > 0 ? first - 1 : 0; n < execution_.stages().size(); ++n) {
      if (n >= first)
        addForward(n);
      addBackward(n);
    }
    for (const Event& event : execution_.pending())
      addAgainstAll(event, execution_.stages().size() - 1, true);
    return std::move(branches_);
  }

private:
  const ExecutionStage& stage(size_t n) const { return execution_.stages()[n]; }
  const Event& mainOf(size_t n) const { return execution_.event(stage(n).main); }
  const Steps& after(size_t n) const {
    return n + 1 < execution_.stages().size() ? stage(n + 1).before : execution_.all();
  }
  /// Whether the steps have one that the n-th stage brought.
  bool hasNew(const Steps& steps, size_t n) const {
    Steps there = steps;
    for (size_t thread = 0; thread < there.size(); ++thread)
      there[thread] = std::min(there[thread], after(n)[thread]);
    return !isSubset(there, stage(n).before);
  }

  // -- the other ways to take the step of the n-th stage where it is

  using Sources = std::vector<EventId>;

  void addForward(size_t n) {
    const Event& main = mainOf(n);
    if (!isData(main.operation.kind)) {
      for (uint32_t choice = 1; choice < main.operation.choices; ++choice)
        addChoice(n, choice);
      return;
    }
    Sources sources(main.data.size(), kInitial);
    pickForward(n, main, 0, sources);
  }

  void addChoice(size_t n, uint32_t choice) {
    ChangedStep step{mainOf(n)};
    step.event.operation.choice = choice;
    label(step.event, step.event);
    build(n, stage(n).before, {step}, {step.event.name, step.event.name.thread, false, false},
          false);
  }

  void pickForward(size_t n, const Event& main, size_t i, Sources& sources) {
    if (i == main.data.size()) {
      takeForward(n, main, sources);
      return;
    }
    if (!main.data[i].reads) {
      pickForward(n, main, i + 1, sources);
      return;
    }
    sources[i] = kInitial;
    pickForward(n, main, i + 1, sources);
    for (EventId writer : execution_.writers(main.data[i].cell)) {
      if (!contains(stage(n).before, execution_.event(writer).name))
        continue;
      sources[i] = writer;
      pickForward(n, main, i + 1, sources);
    }
  }

  void takeForward(size_t n, const Event& main, const Sources& sources) {
    ChangedStep step{main};
    bool isSame = true;
    step.event.past = main.threadPast;
    for (size_t i = 0; i < sources.size(); ++i) {
      DataAccess& access = step.event.data[i];
      isSame = isSame && (!access.reads || access.source == sources[i]);
      access.source = sources[i];
      if (access.reads && sources[i] != kInitial)
        join(step.event.past, execution_.event(sources[i]).past);
    }
    step.event.past[main.name.thread] = main.name.index + 1;
    if (isSame && equivalence_ == Equivalence::ReadsFrom)
      return;
    label(step.event, step.event);
    build(n, stage(n).before, {step}, {main.name, main.name.thread, false, false}, isSame);
  }

  // -- reversals of what the n-th stage completes

  void addBackward(size_t n) {
    if (!stage(n).stage.isPull)
      addAgainstAll(mainOf(n), n, false);
    auto brought = eventsOf(n);
    for (size_t m = 0; m < n; ++m)
      if (!stage(m).stage.isPull && mayTake(mainOf(m), brought))
        addAgainstAll(mainOf(m), n, true);
  }

  std::vector<const Event*> eventsOf(size_t n) const {
    if (n >= execution_.inherited())
      return {&mainOf(n)};
    std::vector<const Event*> events;
    for (const Event& event : execution_.events())
      if (event.stage == n)
        events.push_back(&event);
    return events;
  }

  /// Whether something of these may have to go with `later` when that comes earlier: a source that
  /// it could read from, or an operation that it comes after. A mere filter, to save time.
  bool mayTake(const Event& later, const std::vector<const Event*>& events) const {
    return std::any_of(events.begin(), events.end(), [&](const Event* event) {
      if (!later.data.empty())
        return std::any_of(event->data.begin(), event->data.end(), [&](const DataAccess& access) {
          return access.mayWrite && (hasWideReads_ || touches(later, access.cell, false));
        });
      bool isPlain = later.sync.size() == 1 && event->sync.size() == 1 &&
                     event->sync[0].mode == AccessMode::Write &&
                     SyncState::otherObject(later.operation) == 0;
      return !isPlain && (isFailure(later) || shareObject(later, *event));
    });
  }

  /// Lets `later` happen in front of each earlier step that it is in conflict with. `n`: the last
  /// stage so far. `needsNew`: only if something of the n-th stage goes with it (or it never came).
  void addAgainstAll(const Event& later, size_t n, bool needsNew) {
    bool isPending = later.stage == 0xffffffff;
    size_t last = isPending ? n + 1 : later.stage;
    for (size_t i = 0; i < last; ++i) {
      const Event& earlier = mainOf(i);
      if (stage(i).stage.isPull || earlier.name.thread == later.name.thread ||
          contains(later.threadPast, earlier.name))
        continue;
      Reversal reversal{i, n, &earlier, &later, isPending, needsNew && !isPending};
      if (isData(earlier.operation.kind) && isData(later.operation.kind))
        addRevisits(reversal);
      else if (isFailure(earlier) && isData(later.operation.kind))
        addDataPulls(reversal);
      else if (isFailure(earlier) || isFailure(later) || shareObject(earlier, later))
        addPulls(reversal);
    }
  }

  static bool touches(const Event& event, uint64_t object) {
    return std::any_of(event.sync.begin(), event.sync.end(),
                       [&](const SyncAccess& access) { return access.object == object; });
  }

  /// Whether they touch a common object, or would if they were taken elsewhere.
  static bool shareObject(const Event& a, const Event& b) {
    if (std::any_of(a.sync.begin(), a.sync.end(),
                    [&](const SyncAccess& access) { return touches(b, access.object); }))
      return true;
    uint64_t mine = SyncState::otherObject(a.operation);
    uint64_t other = SyncState::otherObject(b.operation);
    return (mine != 0 && (mine == other || touches(b, mine))) || (other != 0 && touches(a, other));
  }

  // -- data: the earlier one is to read from the later one

  static bool touches(const Event& event, uint32_t cell, bool writes) {
    return std::any_of(event.data.begin(), event.data.end(), [&](const DataAccess& access) {
      return access.cell == cell && (writes ? access.mayWrite : access.reads);
    });
  }

  void addRevisits(const Reversal& reversal) {
    bool overlaps =
        std::any_of(reversal.earlier->data.begin(), reversal.earlier->data.end(),
                    [&](const DataAccess& access) {
                      return access.reads && touches(*reversal.later, access.cell, true);
                    });
    if (!overlaps)
      return;
    Sources mine(reversal.later->data.size(), kInitial);
    pickSources(reversal, *reversal.later, 0, mine, [&] {
      Sources theirs(reversal.earlier->data.size(), kInitial);
      pickSources(reversal, *reversal.earlier, 0, theirs,
                  [&] { takeRevisit(reversal, mine, theirs); });
    });
  }

  /// All ways to choose what the accesses from the i-th on read, where it is open.
  void pickSources(const Reversal& reversal, const Event& event, size_t i, Sources& sources,
                   const std::function<void()>& then) {
    if (i == event.data.size()) {
      then();
      return;
    }
    const DataAccess& access = event.data[i];
    sources[i] = kInitial;
    pickSources(reversal, event, i + 1, sources, then);
    if (!access.reads)
      return;
    if (&event == reversal.earlier && touches(*reversal.later, access.cell, true)) {
      sources[i] = kChanged;
      pickSources(reversal, event, i + 1, sources, then);
    }
    for (EventId writer : execution_.writers(access.cell)) {
      const Event& source = execution_.event(writer);
      if (!contains(after(reversal.n), source.name) || source.name == reversal.later->name ||
          contains(source.past, reversal.earlier->name) ||
          (!reversal.isPending && contains(source.past, reversal.later->name)))
        continue;
      sources[i] = writer;
      pickSources(reversal, event, i + 1, sources, then);
    }
  }

  Steps pastOf(const Event& event, const Sources& sources) const {
    Steps past = event.threadPast;
    for (size_t i = 0; i < sources.size(); ++i)
      if (event.data[i].reads && sources[i] >= 0)
        join(past, execution_.event(sources[i]).past);
    return past;
  }

  /// Of several writes that the earlier one is to read from, one is the reason; see the docs.
  bool isReason(const Reversal& reversal, const Sources& theirs, const Steps& laterPast) const {
    for (EventId source : theirs) {
      if (source < 0)
        continue;
      const Event& other = execution_.event(source);
      if (contains(stage(reversal.i).before, other.name) || contains(laterPast, other.name))
        continue;
      bool isMaximal = std::none_of(theirs.begin(), theirs.end(), [&](EventId id) {
        return id >= 0 && id != source && contains(execution_.event(id).past, other.name);
      });
      if (isMaximal && other.name.thread > reversal.later->name.thread)
        return false;
    }
    return true;
  }

  void takeRevisit(const Reversal& reversal, const Sources& mine, const Sources& theirs) {
    if (std::find(theirs.begin(), theirs.end(), kChanged) == theirs.end())
      return;
    Steps laterPast = pastOf(*reversal.later, mine);
    if (!isReason(reversal, theirs, laterPast))
      return;
    Steps kept = united(laterPast, pastOf(*reversal.earlier, theirs));
    // The step itself goes in front of what it needs: its thread's past is there already.
    if (reversal.needsNew && !hasNew(kept, reversal.n))
      return;
    if (contains(kept, reversal.earlier->name) || !guide_.belongsHere(reversal, kept))
      return;
    ChangedStep later{*reversal.later};
    later.event.past = laterPast;
    setSources(later.event, mine);
    for (DataAccess& access : later.event.data)
      access.writes = access.mayWrite;
    if (builder_.outcomeOf(later.event, {later}) == Outcome::Fails)
      return;
    ChangedStep earlier{*reversal.earlier};
    later.event.past[later.event.name.thread] = later.event.name.index + 1;
    earlier.event.past = united(kept, later.event.past);
    earlier.event.past[earlier.event.name.thread] = earlier.event.name.index + 1;
    setSources(earlier.event, theirs);
    label(later.event, earlier.event);
    build(reversal.i, united(stage(reversal.i).before, kept), {later, earlier},
          {earlier.event.name, earlier.event.name.thread, false, false}, false);
  }

  static void setSources(Event& event, const Sources& sources) {
    for (size_t i = 0; i < sources.size(); ++i)
      event.data[i].source = sources[i];
  }

  // -- the earlier one is the failure that ended the run before the later one

  void addDataPulls(const Reversal& reversal) {
    Sources sources(reversal.later->data.size(), kInitial);
    pickSources(reversal, *reversal.later, 0, sources, [&] {
      ChangedStep step{*reversal.later};
      step.event.past = pastOf(*reversal.later, sources);
      step.event.past[step.event.name.thread] = step.event.name.index + 1;
      setSources(step.event, sources);
      takePull(reversal, step, step.event.past);
    });
  }

  // -- synchronization: the later one is pulled in front of the earlier one

  void addPulls(const Reversal& reversal) {
    std::set<Steps> seen;
    std::vector<const Event*> others;
    for (const Event& event : execution_.events())
      if (maygoWith(reversal, event))
        others.push_back(&event);
    Steps kept = united(stage(reversal.i).before, reversal.later->threadPast);
    pickOthers(reversal, others, 0, kept, seen);
  }

  /// Whether an event may have to be in front of the later one when that is pulled.
  bool maygoWith(const Reversal& reversal, const Event& event) const {
    return contains(after(reversal.n), event.name) &&
           !contains(stage(reversal.i).before, event.name) &&
           !contains(reversal.later->threadPast, event.name) &&
           event.name.thread != reversal.later->name.thread &&
           !contains(event.past, reversal.earlier->name) &&
           (reversal.isPending || !contains(event.past, reversal.later->name)) &&
           (isFailure(*reversal.later) || shareObject(event, *reversal.later));
  }

  void pickOthers(const Reversal& reversal, const std::vector<const Event*>& others, size_t i,
                  const Steps& kept, std::set<Steps>& seen) {
    if (i == others.size()) {
      if (seen.insert(kept).second)
        takePulls(reversal, kept);
      return;
    }
    pickOthers(reversal, others, i + 1, kept, seen);
    if (!contains(kept, others[i]->name))
      pickOthers(reversal, others, i + 1, united(kept, others[i]->past), seen);
  }

  void takePulls(const Reversal& reversal, const Steps& kept) {
    SyncState state = execution_.stateAfter(kept);
    if (!state.enabled(reversal.later->operation))
      return;
    uint32_t choices = state.choices(reversal.later->operation);
    for (uint32_t choice = 0; choice < choices; ++choice) {
      ChangedStep step{*reversal.later};
      step.event.operation.choice = choice;
      step.event.sync = state.accesses(step.event.operation);
      if (inConflict(*reversal.earlier, step.event) && needsAll(reversal, step.event, kept))
        takePull(reversal, step, kept);
    }
  }

  /// Whether everything that is kept is needed. Sets the event's past.
  bool needsAll(const Reversal& reversal, Event& event, const Steps& kept) const {
    event.past = event.threadPast;
    for (const Event& other : execution_.events())
      if (contains(kept, other.name) && inConflict(event, other))
        join(event.past, other.past);
    bool all = isSubset(kept, united(event.past, stage(reversal.i).before));
    event.past[event.name.thread] = event.name.index + 1;
    return all;
  }

  void takePull(const Reversal& reversal, const ChangedStep& step, const Steps& past) {
    Steps kept = past;
    kept[step.event.name.thread] = std::min(kept[step.event.name.thread], step.event.name.index);
    if (reversal.needsNew && !hasNew(kept, reversal.n))
      return;
    if (contains(kept, reversal.earlier->name) || !guide_.belongsHere(reversal, kept))
      return;
    Steps steps = united(stage(reversal.i).before, kept);
    StepName turn{reversal.earlier->name};
    if (guide_.comesTooLate(reversal.i, turn, steps, step.event))
      return;
    label(step.event, *reversal.earlier);
    build(reversal.i, steps, {step}, {step.event.name, turn.thread, true, false}, false);
  }

  void label(const Event& first, const Event& second) {
    pair_ = pairOf(first.operation.kind, second.operation.kind);
    first_ = first.operation.site;
    second_ = second.operation.site;
  }

  void build(size_t stages, const Steps& kept, const std::vector<ChangedStep>& changed,
             const Stage& stage, bool skipLast) {
    size_t from = branches_.size();
    builder_.build(stages, kept, changed, stage, skipLast, branches_);
    for (size_t i = from; i < branches_.size(); ++i) {
      branches_[i].pair = pair_;
      branches_[i].first = first_;
      branches_[i].second = second_;
    }
  }

  const Execution& execution_;
  Equivalence equivalence_;
  BranchBuilder builder_;
  ReversalGuide guide_;
  bool hasWideReads_ = false;
  std::vector<Branch> branches_;
  PairKind pair_ = PairKind::Locks;
  SiteIdentity first_ = SiteIdentity::None;
  SiteIdentity second_ = SiteIdentity::None;
};

} // namespace

std::vector<Branch> branchesOf(const Execution& execution, Equivalence equivalence) {
  if (execution.stages().empty())
    return {};
  return Reversals(execution, equivalence).all();
}

} // namespace heddle::explore
