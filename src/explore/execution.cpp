#include "execution.h"

#include <algorithm>

namespace heddle::explore {

void join(Steps& steps, const Steps& others) {
  for (size_t thread = 0; thread < others.size(); ++thread)
    steps[thread] = std::max(steps[thread], others[thread]);
}

Steps united(const Steps& a, const Steps& b) {
  Steps result = a;
  join(result, b);
  return result;
}

bool isSubset(const Steps& steps, const Steps& of) {
  for (size_t thread = 0; thread < steps.size(); ++thread)
    if (steps[thread] > of[thread])
      return false;
  return true;
}

bool inConflict(const Event& a, const Event& b) {
  if (a.operation.kind == OperationKind::Fail || b.operation.kind == OperationKind::Fail)
    return true;
  for (const SyncAccess& mine : a.sync)
    for (const SyncAccess& other : b.sync)
      if (mine.object == other.object && inConflict(mine.mode, other.mode))
        return true;
  return false;
}

namespace {

bool concernsThread(OperationKind kind) {
  return kind == OperationKind::Spawn || kind == OperationKind::Join;
}

size_t countThreads(const Run& run) {
  size_t threads = 1;
  auto see = [&](const Operation& operation) {
    threads = std::max<size_t>(threads, operation.thread + size_t{1});
    if (concernsThread(operation.kind))
      threads = std::max<size_t>(threads, operation.argument + size_t{1});
  };
  std::for_each(run.operations.begin(), run.operations.end(), see);
  std::for_each(run.pending.begin(), run.pending.end(), see);
  return threads;
}

void sortUnique(std::vector<uint64_t>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

bool writesAs(Writing writing, const Event& event) {
  bool writes = std::any_of(event.data.begin(), event.data.end(),
                            [](const DataAccess& access) { return access.writes; });
  return writing == Writing::Any || writes == (writing == Writing::Required);
}

DataAccess accessBy(const Operation& operation, uint32_t cell) {
  DataAccess access{.cell = cell};
  switch (operation.kind) {
  case OperationKind::Read:
    access.reads = true;
    break;
  case OperationKind::Write:
    access.writes = access.mayWrite = true;
    break;
  case OperationKind::CompareExchange:
    access.reads = access.mayWrite = true;
    access.writes = operation.succeeded;
    break;
  default:
    access.reads = access.writes = access.mayWrite = true;
    break;
  }
  return access;
}

} // namespace

Execution::Execution(const Run& run, const Branch& branch) : inherited_(branch.stages.size()) {
  size_t threads = countThreads(run);
  all_ = Steps(threads, 0);
  byThread_.resize(threads);
  spawnedBy_.assign(threads, kInitial);
  nameCells(run);
  if (run.operations.size() < branch.schedule.size() || run.ending == Ending::Diverged) {
    keptPromises_ = false;
    return;
  }
  SyncState state;
  events_.reserve(run.operations.size());
  for (size_t i = 0; i < run.operations.size(); ++i) {
    bool isOld = i < branch.schedule.size();
    uint32_t stage =
        isOld ? branch.stageOf[i] : static_cast<uint32_t>(inherited_ + i - branch.schedule.size());
    addEvent(run.operations[i], stage, state);
  }
  for (const Operation& operation : run.pending)
    addPending(operation, state);
  failed_ = run.ending == Ending::Failure;
  keptPromises_ = keeps(branch);
  if (keptPromises_)
    addStages(branch);
}

void Execution::nameCells(const Run& run) {
  auto see = [&](const Operation& operation) {
    if (!isData(operation.kind))
      return;
    if (operation.object != 0)
      blocks_.push_back(operation.object);
    if (operation.kind == OperationKind::Free)
      return;
    bounds_.push_back(operation.address);
    bounds_.push_back(operation.address + operation.size);
  };
  std::for_each(run.operations.begin(), run.operations.end(), see);
  std::for_each(run.pending.begin(), run.pending.end(), see);
  sortUnique(bounds_);
  sortUnique(blocks_);
  writers_.resize(bounds_.size() + blocks_.size());
  cellNames_ = bounds_;
  for (uint64_t block : blocks_)
    cellNames_.push_back(mix(0x626c6f636b, block));
}

Few<DataAccess, 2> Execution::dataOf(const Operation& operation) const {
  Few<DataAccess, 2> accesses;
  if (!isData(operation.kind))
    return accesses;
  if (operation.kind != OperationKind::Free) {
    auto first = std::lower_bound(bounds_.begin(), bounds_.end(), operation.address);
    for (auto at = first; at != bounds_.end() && *at < operation.address + operation.size; ++at)
      accesses.push_back(accessBy(operation, static_cast<uint32_t>(at - bounds_.begin())));
  }
  if (operation.object == 0)
    return accesses;
  auto block = std::lower_bound(blocks_.begin(), blocks_.end(), operation.object);
  DataAccess life{.cell = static_cast<uint32_t>(bounds_.size() + (block - blocks_.begin()))};
  life.reads = true;
  life.writes = life.mayWrite = operation.kind == OperationKind::Free;
  accesses.push_back(life);
  return accesses;
}

Event Execution::begin(const Operation& operation) const {
  Event event;
  event.operation = operation;
  ThreadNumber thread = operation.thread;
  event.name = {thread, static_cast<uint32_t>(byThread_[thread].size())};
  EventId before = byThread_[thread].empty() ? spawnedBy_[thread] : byThread_[thread].back();
  event.threadPast = before == kInitial ? Steps(all_.size(), 0) : this->event(before).past;
  event.data = dataOf(operation);
  return event;
}

void Execution::joinConflicts(Event& event) const {
  if (event.operation.kind == OperationKind::Fail)
    join(event.past, all_);
  for (const SyncAccess& access : event.sync) {
    auto found = users_.find(access.object);
    if (found == users_.end())
      continue;
    for (EventId other : found->second)
      for (const SyncAccess& theirs : this->event(other).sync)
        if (theirs.object == access.object && explore::inConflict(theirs.mode, access.mode))
          join(event.past, this->event(other).past);
  }
}

void Execution::readSources(Event& event) {
  for (DataAccess& access : event.data) {
    if (!access.reads)
      continue;
    access.source = writers_[access.cell].empty() ? kInitial : writers_[access.cell].back();
    if (access.source != kInitial)
      join(event.past, this->event(access.source).past);
  }
}

void Execution::addEvent(const Operation& operation, uint32_t stage, SyncState& state) {
  Event event = begin(operation);
  event.stage = stage;
  event.sync = state.accesses(operation);
  state.take(operation);
  event.past = event.threadPast;
  joinConflicts(event);
  readSources(event);
  event.past[event.name.thread] = event.name.index + 1;
  auto id = static_cast<EventId>(events_.size());
  for (const DataAccess& access : event.data)
    if (access.writes)
      writers_[access.cell].push_back(id);
  for (const SyncAccess& access : event.sync)
    users_[access.object].push_back(id);
  if (operation.kind == OperationKind::Spawn)
    spawnedBy_[operation.argument] = id;
  byThread_[event.name.thread].push_back(id);
  ++all_[event.name.thread];
  events_.push_back(std::move(event));
}

void Execution::addPending(const Operation& operation, const SyncState& state) {
  Event event = begin(operation);
  event.stage = 0xffffffff;
  event.sync = state.accesses(operation);
  pending_.push_back(std::move(event));
}

void Execution::addStages(const Branch& branch) {
  Steps before(all_.size(), 0);
  size_t next = 0;
  auto endStage = [&](size_t number) {
    for (const Event& event : events_)
      if (event.stage == number)
        before[event.name.thread] = std::max(before[event.name.thread], event.name.index + 1);
  };
  for (const Stage& stage : branch.stages) {
    stages_.push_back({stage, before, find(stage.main)});
    endStage(next++);
  }
  for (size_t i = branch.schedule.size(); i < events_.size(); ++i) {
    const Event& event = events_[i];
    Stage stage{event.name, event.name.thread, false, event.operation.choice == 0};
    stages_.push_back({stage, before, static_cast<EventId>(i)});
    before[event.name.thread] = event.name.index + 1;
  }
}

bool Execution::keeps(const Branch& branch) const {
  for (size_t i = 0; i < branch.schedule.size(); ++i)
    if (events_[i].operation.thread != branch.schedule[i].thread ||
        events_[i].operation.choice != branch.schedule[i].choice)
      return false;
  return std::all_of(
      branch.expectations.begin(), branch.expectations.end(), [&](const Expectation& expectation) {
        const Event& reader = event(find(expectation.reader));
        return sourcesOf(reader) == expectation.sources && writesAs(expectation.writing, reader);
      });
}

std::vector<StepName> Execution::sourcesOf(const Event& event) const {
  std::vector<StepName> names;
  for (const DataAccess& access : event.data)
    if (access.reads)
      names.push_back(access.source == kInitial ? kInitialValue : this->event(access.source).name);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

SyncState Execution::stateAfter(const Steps& steps) const {
  SyncState state;
  for (const Event& event : events_)
    if (contains(steps, event.name))
      state.take(event.operation);
  return state;
}

} // namespace heddle::explore
