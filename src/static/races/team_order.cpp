#include "static/races/team_order.h"

#include "static/program/openmp.h"

#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace heddle::analysis {
namespace {

constexpr size_t kKnownCallers = 8; // as many as activations remember
constexpr unsigned kDeepestTask = 16;

} // namespace

TeamOrder::TeamOrder(const Analyses& analyses)
    : analyses_(analyses), teams_(analyses.threads.all().size()) {
  findTeams();
  if (regions_.empty())
    return;
  auto all = analyses_.activations.all();
  for (uint32_t i = 0; i < all.size(); ++i)
    if (teams_[all[i].thread])
      byInstance_[raw(all[i].instance)].push_back(i);
}

// --- teams

void TeamOrder::findTeams() {
  const Threads& threads = analyses_.threads;
  for (uint32_t t = 1; t < teams_.size(); ++t) {
    const Function& entry = *analyses_.pointsTo.instance(threads.all()[t].entry).body->function;
    // Of a region that several threads begin there are several teams at a time.
    bool one = all_of(threads.executing(threads.all()[t].creator),
                      [&](uint32_t parent) { return !threads.all()[parent].many; });
    if (!isTeamEntry(entry) || !one)
      continue;
    teams_[t] = t;
    regions_[t] = regionOf(entry);
  }
  for (unsigned depth = 0; depth < kDeepestTask; ++depth)
    for (uint32_t t = 1; t < teams_.size(); ++t)
      if (!teams_[t] && isTask(t))
        teams_[t] = findTeam(t);
}

bool TeamOrder::isTask(uint32_t thread) const {
  InstanceId entry = analyses_.threads.all()[thread].entry;
  return entry != InstanceId::None &&
         isTaskEntry(*analyses_.pointsTo.instance(entry).body->function);
}

/// Of all threads that start the task; a task that starts itself again says nothing new.
uint32_t TeamOrder::findTeam(uint32_t thread) const {
  uint32_t team = 0;
  for (uint32_t parent : analyses_.threads.executing(analyses_.threads.all()[thread].creator)) {
    if (parent == thread || (isTask(parent) && !teams_[parent]))
      continue;
    if (!teams_[parent] || (team && teams_[parent] != team))
      return 0;
    team = teams_[parent];
  }
  return team;
}

/// The task that a team's own thread has started, of which this one is a descendant; 0: there are
/// several ways.
uint32_t TeamOrder::topTask(uint32_t thread) const {
  for (unsigned depth = 0; depth < kDeepestTask; ++depth) {
    auto parents = analyses_.threads.executing(analyses_.threads.all()[thread].creator);
    if (parents.size() != 1)
      return 0;
    if (parents[0] == teams_[thread])
      return thread;
    thread = parents[0];
  }
  return 0;
}

uint32_t TeamOrder::threadOf(const AccessRecord& record) const {
  return analyses_.activations.all()[record.activation].thread;
}

const Instruction& TeamOrder::at(const AccessRecord& record) const {
  return *analyses_.sites[record.site].instruction;
}

bool TeamOrder::mayMeet(const AccessRecord& one, const AccessRecord& other) const {
  uint32_t team = teams_[threadOf(one)];
  if (!team || team != teams_[threadOf(other)])
    return true;
  ObjectId id = analyses_.pointsTo.location(one.location).object;
  const Object& object = analyses_.pointsTo.object(id);
  if (object.site && isTaskBlock(*object.site) && threadOf(one) == threadOf(other))
    return false; // each task has its own
  if (isPrivate(id))
    return meetInFrame(object, one, other);
  return areInPhases(one, other, team) && meetInThread(one, other);
}

// --- barriers

bool TeamOrder::areInPhases(const AccessRecord& one, const AccessRecord& other,
                            uint32_t team) const {
  return phasesOf(one, team).anyCommon(phasesOf(other, team));
}

/// Where the team's region is while the access is made: its own instruction, or the call or the
/// start of a task that leads there. False: not all places are known.
bool TeamOrder::findAnchors(uint32_t activation, const Instruction& at, Anchors& anchors,
                            std::set<std::pair<uint32_t, const Instruction*>>& seen) const {
  if (!seen.insert({activation, &at}).second)
    return true;
  const Activation& here = analyses_.activations.all()[activation];
  uint32_t team = teams_[here.thread];
  if (team && here.thread == team &&
      analyses_.pointsTo.instance(here.instance).body->function == regions_.lookup(team)) {
    anchors.insert(&at);
    return true;
  }
  if (here.call) {
    auto others = analyses_.activations.otherCallers(activation);
    return others.size() < kKnownCallers && findAnchors(here.parent, *here.call, anchors, seen) &&
           all_of(
               others,
               [&](const Activations::Caller& caller) {
                 return findAnchors(caller.activation, *caller.call, anchors, seen);
               });
  }
  if (!isTask(here.thread))
    return false;
  const Thread& task = analyses_.threads.all()[here.thread];
  auto creators = byInstance_.find(raw(task.creator));
  return creators != byInstance_.end() && all_of(creators->second, [&](uint32_t creator) {
           return findAnchors(creator, *task.creation, anchors, seen);
         });
}

BitVector TeamOrder::phasesOf(const AccessRecord& record, uint32_t team) const {
  const Phases& phases = phasesIn(*regions_.lookup(team));
  BitVector result(phases.barriers.size() + 1);
  Anchors anchors;
  std::set<std::pair<uint32_t, const Instruction*>> seen;
  if (!findAnchors(record.activation, at(record), anchors, seen)) {
    result.set();
    return result;
  }
  for (const Instruction* anchor : anchors) {
    if (dividesPhases(*anchor)) { // somewhere before or after a barrier that it calls
      result.set();
      break;
    }
    auto start = phases.atStart.find(anchor->getParent());
    BitVector state = start == phases.atStart.end() ? BitVector(result.size()) : start->second;
    for (const Instruction& each : *anchor->getParent()) {
      if (&each == anchor)
        break;
      if (dividesPhases(each)) {
        state.reset();
        state.set(find(phases.barriers, &each) - phases.barriers.begin() + 1);
      }
    }
    result |= state;
  }
  return result;
}

const TeamOrder::Phases& TeamOrder::phasesIn(const Function& region) const {
  auto [entry, isNew] = phases_.try_emplace(&region);
  Phases& phases = entry->second;
  if (!isNew)
    return phases;
  for (const Instruction& instruction : instructions(region))
    if (dividesPhases(instruction))
      phases.barriers.push_back(&instruction);
  std::vector<const BasicBlock*> open{&region.getEntryBlock()};
  BitVector none(phases.barriers.size() + 1);
  phases.atStart[open[0]] = none;
  phases.atStart[open[0]].set(0);
  while (!open.empty()) {
    const BasicBlock* block = open.back();
    open.pop_back();
    BitVector state = phases.atStart[block];
    for (const Instruction& each : *block)
      if (dividesPhases(each)) {
        state.reset();
        state.set(find(phases.barriers, &each) - phases.barriers.begin() + 1);
      }
    for (const BasicBlock* next : successors(block)) {
      BitVector& known = phases.atStart.try_emplace(next, none).first->second;
      BitVector before = known;
      known |= state;
      if (known != before || before.none())
        open.push_back(next);
    }
  }
  return phases;
}

bool TeamOrder::dividesPhases(const Instruction& instruction) const {
  if (isTeamBarrier(instruction))
    return true;
  auto* call = dyn_cast<CallBase>(&instruction);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee && hasBody(*callee) && hasBarrier(*callee);
}

/// Whether the function has a barrier, or calls one that has.
bool TeamOrder::hasBarrier(const Function& function) const {
  auto [known, isNew] = barriers_.try_emplace(&function, false);
  if (!isNew)
    return known->second;
  bool has =
      any_of(instructions(function), [&](const Instruction& each) { return dividesPhases(each); });
  return barriers_[&function] = has;
}

// --- what one thread does by itself

TeamOrder::Regions TeamOrder::regionsOf(const AccessRecord& record) const {
  uint32_t thread = threadOf(record);
  if (thread != teams_[thread]) {
    uint32_t top = topTask(thread);
    return top ? creationOf(top).regions : Regions{};
  }
  Regions regions;
  for (const HeldLock& lock : analyses_.activations.lockSet(record.locks))
    if (lock.location != LocationId::None)
      if (const Value* site = analyses_.pointsTo.objectOf(lock.location).site;
          isOneThreadRegion(*site))
        regions.insert(site);
  return regions;
}

const TeamOrder::Creation& TeamOrder::creationOf(uint32_t task) const {
  auto [entry, isNew] = creations_.try_emplace(task);
  Creation& creation = entry->second;
  if (!isNew)
    return creation;
  creation.alive.resize(teams_.size());
  const Thread& thread = analyses_.threads.all()[task];
  auto found = byInstance_.find(raw(thread.creator));
  if (found == byInstance_.end())
    return creation;
  for (uint32_t index : found->second) {
    const Activation& activation = analyses_.activations.all()[index];
    if (activation.thread != teams_[task])
      continue;
    Regions here;
    analyses_.locks.each(
        thread.creator, analyses_.activations.lockSet(activation.locks),
        [&](const LockSet& held, const Instruction& at) {
          for (const HeldLock& lock : held)
            if (&at == thread.creation && lock.location != LocationId::None &&
                isOneThreadRegion(*analyses_.pointsTo.objectOf(lock.location).site))
              here.insert(analyses_.pointsTo.objectOf(lock.location).site);
        });
    if (creation.known)
      std::erase_if(creation.regions, [&](const Value* each) { return !here.contains(each); });
    else
      creation.regions = here;
    creation.known = true;
    creation.alive |= analyses_.parallel.aliveAt(
        thread.creator, analyses_.activations.alive(activation.alive), *thread.creation);
  }
  return creation;
}

/// When one thread of the team has done, or started, both: whether they can overlap.
bool TeamOrder::meetInThread(const AccessRecord& one, const AccessRecord& other) const {
  Regions regions = regionsOf(one);
  std::erase_if(regions,
                [others = regionsOf(other)](const Value* each) { return !others.contains(each); });
  if (regions.empty())
    return true;
  uint32_t first = threadOf(one), second = threadOf(other), team = teams_[first];
  if (first == team && second == team)
    return false;
  if (first == team)
    return analyses_.activations.alive(one.alive).test(second);
  if (second == team)
    return analyses_.activations.alive(other.alive).test(first);
  uint32_t top = topTask(first), otherTop = topTask(second);
  if (top == otherTop && first != second)
    return true; // inside of one task, or of two of its kind
  return creationOf(top).alive.test(second) || creationOf(otherTop).alive.test(first);
}

// --- variables of one thread that its tasks share

/// Whether only the thread that has the variable, and the tasks that it hands it to, know it.
bool TeamOrder::isPrivate(ObjectId id) const {
  const Object& object = analyses_.pointsTo.object(id);
  if (object.kind != ObjectKind::Local)
    return false;
  auto [known, isNew] = private_.try_emplace(id, false);
  if (isNew) {
    bool found = findPrivate(object, id);
    private_[id] = found;
    return found;
  }
  return known->second;
}

bool TeamOrder::findPrivate(const Object& object, ObjectId id) const {
  if (!all_of(analyses_.threads.executing(object.creator),
              [&](uint32_t thread) { return teams_[thread] != 0; }))
    return false;
  const PointsTo& pointsTo = analyses_.pointsTo;
  for (uint32_t i = 0; i < pointsTo.locationCount(); ++i) {
    const Object& holder = pointsTo.objectOf(static_cast<LocationId>(i));
    if (holder.kind == ObjectKind::Copy || (holder.site && isTaskBlock(*holder.site)))
      continue;
    for (uint32_t content : pointsTo.contents(static_cast<LocationId>(i)))
      if (pointsTo.location(static_cast<LocationId>(content)).object == id &&
          (holder.kind != ObjectKind::Local || holder.creator != object.creator))
        return false;
  }
  return true;
}

bool TeamOrder::meetInFrame(const Object& object, const AccessRecord& one,
                            const AccessRecord& other) const {
  auto all = analyses_.activations.all();
  uint32_t first = threadOf(one), second = threadOf(other);
  bool owner = all[one.activation].instance == object.creator;
  bool otherOwner = all[other.activation].instance == object.creator;
  if (owner && otherOwner)
    return false; // each its own
  BitVector nobody(teams_.size());
  if (owner)
    return analyses_.parallel.aliveAt(object.creator, nobody, at(one)).test(second);
  if (otherOwner)
    return analyses_.parallel.aliveAt(object.creator, nobody, at(other)).test(first);
  auto startedDuring = [&](uint32_t task, uint32_t by) {
    const Thread& thread = analyses_.threads.all()[task];
    return thread.creator != object.creator ||
           analyses_.parallel.aliveAt(thread.creator, nobody, *thread.creation).test(by);
  };
  if (!isTask(first) && !isTask(second))
    return false;
  // Of one kind a frame has several at a time only if it starts them again and again.
  if (first == second &&
      !analyses_.graph.isInLoop(*analyses_.threads.all()[first].creation->getParent()))
    return analyses_.threads.all()[first].creator != object.creator;
  if (!isTask(first) || !isTask(second))
    return true;
  return startedDuring(first, second) || startedDuring(second, first);
}

} // namespace heddle::analysis
