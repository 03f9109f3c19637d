#include "runtime/targets/target_watch.h"

#include "runtime/base/message.h"
#include "runtime/base/persistent.h"
#include "runtime/core/end_of_run.h"
#include "runtime/core/scheduler_state.h"
#include "runtime/io/mapping_model.h"
#include "runtime/memory/heap.h"
#include "runtime/memory/program_memory.h"
#include "runtime/targets/meeting_side.h"
#include "runtime/targets/pattern_watch.h"
#include "runtime/trace/call_frames.h"
#include "runtime/trace/run_record.h"
#include "runtime/trace/sites.h"
#include "runtime/trace/unseen_code.h"
#include "strategy/directed_strategy.h"

#include <string.h>

namespace heddle::rt {

namespace {

/// Most threads of one meeting: with more in a race at once the others are found later.
constexpr uint32_t kMaxMet = 64;

const Target* target = nullptr;
uint32_t present = 0;       ///< fibers whose pending operation has roles
uint32_t recents = 0;       ///< fibers that have a recent access
bool callersMatter = false; ///< some role has a caller

/// The sides of the last race that was met, until the first of them goes on.
struct OpenRace {
  ThreadIndex first = ThreadIndex::None; ///< plays role 0
  ThreadIndex second = ThreadIndex::None;
};
OpenRace open;

bool isFor(const TargetRole& role, SiteIdentity site, SiteIdentity caller) {
  return role.site == site && (role.caller == SiteIdentity::None || role.caller == caller);
}

bool overlap(const PendingOperation& a, const PendingOperation& b) {
  uint64_t aEnd = a.address + (a.size ? a.size : 1);
  uint64_t bEnd = b.address + (b.size ? b.size : 1);
  return a.address < bEnd && b.address < aEnd;
}

/// Whether one of them can play the first role while the other plays the second.
bool complement(RoleMask a, RoleMask b) { return ((a & 1) && (b & 2)) || ((a & 2) && (b & 1)); }

bool races(const PendingOperation& a, const PendingOperation& b) {
  return complement(a.roles, b.roles) && overlap(a, b) && (isWrite(a.kind) || isWrite(b.kind));
}

bool holds(const Fiber* fiber, uint64_t object) {
  for (uint32_t i = 0; i < fiber->heldCount; ++i)
    if (reinterpret_cast<uintptr_t>(fiber->held[i].object) == object)
      return true;
  return false;
}

struct Met {
  Fiber* fibers[kMaxMet];
  uint32_t count = 0;
  void add(Fiber* fiber) {
    if (count < kMaxMet)
      fibers[count++] = fiber;
  }
};

const void* pointerTo(uint64_t address) { return reinterpret_cast<const void*>(address); }

/// Memory that was freed since and given out again is another object: nothing races there.
bool isSameMemory(const RecentAccess& recent) {
  const void* address = pointerTo(recent.operation.address);
  if (!inHeap(address))
    return mappingSerial(recent.operation.address) == recent.block;
  HeapBlock block = heapBlockOf(address);
  return block.state == BlockState::Allocated && block.base == recent.block &&
         block.generation == recent.generation;
}

void findRaces(Fiber* arrived, Met& met) {
  const PendingOperation& mine = arrived->view.pending;
  for (uint32_t i = 0; i < scheduler.threads && present > 1; ++i) {
    Fiber* other = scheduler.fibers[i];
    if (other != arrived && isAtTarget(other) && races(mine, other->view.pending))
      met.add(other);
  }
  for (uint32_t i = 0; i < scheduler.threads && recents != 0 && met.count == 0; ++i) {
    Fiber* other = scheduler.fibers[i];
    if (other != arrived && !isAtTarget(other) && races(mine, other->recent.operation) &&
        isSameMemory(other->recent))
      met.add(other);
  }
}

Fiber* holderAtTarget(uint64_t lock) {
  for (uint32_t i = 0; i < scheduler.threads; ++i)
    if (isAtTarget(scheduler.fibers[i]) && holds(scheduler.fibers[i], lock))
      return scheduler.fibers[i];
  return nullptr;
}

/// Follows who holds what the last one wants, until it is back at the one that arrived.
void findCycle(Fiber* arrived, Met& met) {
  for (Fiber* at = arrived; met.count < kMaxMet;) {
    Fiber* holder = holderAtTarget(at->view.pending.address);
    if (holder == arrived && met.count > 0)
      return;
    if (!holder || holder == at)
      break;
    met.add(holder);
    at = holder;
  }
  met.count = 0;
}

uint32_t lowestRole(RoleMask roles) { return static_cast<uint32_t>(__builtin_ctz(roles)); }

/// Keeps the first meeting of the run for the controller, the arrived fiber as side 0.
void describe(const Fiber* arrived, const Met& met) {
  BatchHeader* batch = persistent().batch;
  if (!batch || batch->meeting.sideCount != 0)
    return;
  Meeting& meeting = batch->meeting;
  meeting.step = scheduler.steps;
  bool race = target->kind == TargetKind::Race;
  uint32_t sides = race ? 2 : met.count + 1 < kMaxRoles ? met.count + 1 : kMaxRoles;
  for (uint32_t i = 0; i < sides; ++i) {
    const Fiber* fiber = i == 0 ? arrived : met.fibers[i - 1];
    uint32_t role =
        race ? (fiber->index() == open.first ? 0 : 1) : lowestRole(fiber->view.pending.roles);
    describeSide(meeting.sides[i], fiber, role);
  }
  meeting.sideCount = sides;
}

void openRace(const Fiber* arrived, const Fiber* other) {
  RoleMask a = arrived->view.pending.roles;
  RoleMask b = isAtTarget(other) ? other->view.pending.roles : other->recent.operation.roles;
  bool eitherWay = (a & 1) && (a & 2) && (b & 1) && (b & 2);
  bool arrivedFirst = eitherWay ? raw(arrived->index()) < raw(other->index()) : (a & 1) && (b & 2);
  open.first = (arrivedFirst ? arrived : other)->index();
  open.second = (arrivedFirst ? other : arrived)->index();
}

/// Where the plan wants to see the meeting, a debugger can stop at it: both sides stand at their
/// accesses, or one right after.
void showMeeting(const Fiber* arrived, const Fiber* other) {
  BatchHeader* batch = persistent().batch;
  bool shown = batch && (batch->plan.flags & kPlanStopAtMeeting) &&
               persistent().result.meetings == 1 && target->kind == TargetKind::Race;
  if (!shown)
    return;
  bool pending = isAtTarget(other);
  const PendingOperation& theirs = pending ? other->view.pending : other->recent.operation;
  unsigned thread = raw(other->index());
  __heddle_failure(formatMessage("about to %s what T%u %s %s (heddle-backtrace T%u)",
                                 eventKindText(arrived->view.pending.kind), thread,
                                 pending ? "is about to" : "has made its",
                                 eventKindText(theirs.kind), thread));
}

void forgetRecent(Fiber* fiber) {
  if (fiber->recent.operation.roles == 0)
    return;
  fiber->recent.operation.roles = 0;
  --recents;
}

/// Keeps the access that is executed now, in case somebody comes to it before it is ordered.
void remember(Fiber* fiber) {
  forgetRecent(fiber);
  if (!keepsToItself(fiber->view.pending.kind) || isBelowUnseenCode(fiber))
    return;
  fiber->recent.operation = fiber->view.pending;
  fiber->recent.occurrence = fiber->targetOccurrence;
  const void* address = pointerTo(fiber->recent.operation.address);
  HeapBlock block = inHeap(address) ? heapBlockOf(address) : HeapBlock();
  fiber->recent.block =
      inHeap(address) ? block.base : mappingSerial(fiber->recent.operation.address);
  fiber->recent.generation = block.generation;
  BatchHeader* batch = persistent().batch;
  bool stacks = batch && (batch->plan.flags & kPlanStacks);
  fiber->recent.frameCount = stacks ? copyFrames(fiber, fiber->recent.frames) : 0;
  ++recents;
}

void noteOrder(bool firstRole) {
  persistent().result.orders |= firstRole ? kFirstRoleFirst : kSecondRoleFirst;
  open = {};
}

} // namespace

void watchTarget(const Plan& plan) {
  target = plan.target.kind == TargetKind::None ? nullptr : &plan.target;
  present = 0;
  recents = 0;
  open = {};
  callersMatter = false;
  for (uint32_t r = 0; target && r < target->roleCount; ++r)
    callersMatter |= target->roles[r].caller != SiteIdentity::None;
  if (target && target->kind == TargetKind::AtomicSet)
    watchPattern(*target);
  if (BatchHeader* batch = persistent().batch)
    batch->meeting.sideCount = 0;
}

RoleMask rolesAt(const Fiber* fiber, EventKind kind, SiteId site) {
  if (!target)
    return 0;
  if (target->kind == TargetKind::AtomicSet)
    return patternRolesAt(fiber, site);
  bool cycle = target->kind == TargetKind::LockCycle;
  if (cycle && (fiber->heldCount == 0 || holds(fiber, fiber->view.pending.address)))
    return 0; // no part of a cycle
  if (cycle != (isSync(kind) && kind != EventKind::Free))
    return 0;
  SiteIdentity identity = identityOf(site);
  SiteIdentity caller = callersMatter ? identityOf(userCaller(fiber)) : SiteIdentity::None;
  RoleMask roles = 0;
  for (uint32_t r = 0; r < target->roleCount; ++r)
    if (isFor(target->roles[r], identity, caller))
      roles |= static_cast<RoleMask>(1u << r);
  return roles;
}

void arriveAtTarget(Fiber* fiber, uint32_t occurrence) {
  fiber->targetOccurrence = occurrence;
  persistent().result.reached |= fiber->view.pending.roles;
  Met met;
  ++present;
  if (target->kind == TargetKind::Race && present + recents > 1)
    findRaces(fiber, met);
  else if (target->kind == TargetKind::LockCycle && present > 1)
    findCycle(fiber, met);
  if (met.count == 0) {
    if (scheduler.directed)
      scheduler.directed->arrived(fiber->view);
    return;
  }
  ++persistent().result.meetings;
  if (target->kind == TargetKind::Race)
    openRace(fiber, met.fibers[0]);
  describe(fiber, met);
  showMeeting(fiber, met.fibers[0]);
  if (target->kind == TargetKind::Race && !isAtTarget(met.fibers[0]))
    noteOrder(met.fibers[0]->index() == open.first); // that one has gone on already
  ThreadView* views[kMaxMet + 1] = {&fiber->view};
  for (uint32_t i = 0; i < met.count; ++i)
    views[i + 1] = &met.fibers[i]->view;
  if (scheduler.directed)
    scheduler.directed->met(views, met.count + 1);
}

void leaveTarget(Fiber* fiber) {
  --present;
  if (target->kind == TargetKind::AtomicSet)
    followPattern(fiber);
  if (target->kind == TargetKind::Race)
    remember(fiber);
  fiber->view.pending.roles = 0;
  if (fiber->index() == open.first || fiber->index() == open.second)
    noteOrder(fiber->index() == open.first);
}

void lingerAtTarget(Fiber* fiber) {
  // Once the target was met the run shall go on.
  bool lingers = fiber->recent.operation.roles != 0 && persistent().result.meetings == 0;
  if (lingers && scheduler.directed)
    scheduler.directed->arrived(fiber->view);
}

void orderRecent(Fiber* fiber, EventKind kind) {
  if (!keepsToItself(kind))
    forgetRecent(fiber);
}

bool keepsToItself(EventKind kind) {
  switch (kind) {
  case EventKind::Read:
  case EventKind::Write:
  case EventKind::AtomicRead:
  case EventKind::Spin:
  case EventKind::MutexLock:
  case EventKind::MutexTryLock:
  case EventKind::ReadLock:
  case EventKind::WriteLock:
  case EventKind::SpinLock:
  case EventKind::SemWait:
  case EventKind::ThreadJoin:
  case EventKind::Sleep:
  case EventKind::Yield:
  case EventKind::ClockRead:
  case EventKind::Allocate:
  case EventKind::OnceBegin:
  case EventKind::GuardAcquire:
  case EventKind::Acquire:
    return true;
  default: // also Free: the block may be given to another thread
    return false;
  }
}

} // namespace heddle::rt
