#include "pattern_watch.h"

#include "call_frames.h"
#include "failure.h"
#include "persistent.h"
#include "scheduler_parts.h"
#include "target_watch.h"

#include <string.h>

namespace heddle::rt {

namespace {

/// Windows that are followed at the same time: one for each thread that has begun a pattern.
constexpr uint32_t kMostWindows = 8;

/// A pattern that has begun: its first accesses were executed.
struct Window {
  uint32_t progress = 0; ///< steps that were executed; 0: free
  Fiber* fibers[2];      ///< that play u and u'; null: nobody yet
  uint32_t serials[2];   ///< of their units
  /// What each of them held at its last access and has to give back before the other can go on.
  const void* locks[2][kMaxHeldLocks];
  uint32_t lockCount[2];
  MeetingSide sides[kMostPatternSteps];
};

const Target* target = nullptr;
AccessPattern pattern;
Window windows[kMostWindows];
uint32_t nextSerial = 1;

uint32_t entryRole(uint32_t unit) { return pattern.stepCount + unit; }

bool inObject(const UnitEntry& unit, const PendingOperation& operation) {
  const SiteRecord* entry = siteRecord(unit.site);
  if (entry && (entry->flags & kSiteGlobal))
    return true; // the set is more than this one global, and its sites are known
  return operation.address >= unit.object && operation.address < unit.object + unit.size;
}

/// The hash of the calls from the unit's entry to the site; false when the fiber has left the unit.
bool contextIn(const Fiber* fiber, const UnitEntry& unit, SiteId site, uint64_t& context) {
  uint32_t depth = 0;
  context = kEmptyContext;
  bool inUnit = true;
  visitCallers(fiber, site, [&](uint32_t call) {
    auto id = static_cast<SiteId>(call);
    if (depth == unit.depth)
      inUnit = inOneFunction(id, unit.site);
    if (depth >= unit.depth)
      context = contextHash(context, identityOf(id));
    ++depth;
  });
  if (depth == unit.depth)
    return inOneFunction(site, unit.site);
  return depth > unit.depth && inUnit;
}

bool isIn(const Fiber* fiber, const UnitEntry& unit, SiteId site) {
  uint64_t context;
  return unit.serial != 0 && contextIn(fiber, unit, site, context);
}

bool playsStep(const Fiber* fiber, uint32_t step, SiteId site, SiteIdentity identity) {
  const TargetRole& role = target->roles[step];
  if (role.site != identity)
    return false;
  const UnitEntry& unit = fiber->units[pattern.steps[step].unit];
  uint64_t context;
  return unit.serial != 0 && inObject(unit, fiber->view.pending) &&
         contextIn(fiber, unit, site, context) && context == role.context;
}

uint32_t depthAt(const Fiber* fiber, SiteId site) {
  uint32_t depth = 0;
  visitCallers(fiber, site, [&](uint32_t) { ++depth; });
  return depth;
}

/// Whether the fiber has come out of the unit; it may be about to enter it again.
bool hasLeft(const Fiber* fiber, const UnitEntry& unit) {
  const PendingOperation& operation = fiber->view.pending;
  bool entersAgain = operation.kind == EventKind::Enter && operation.site == unit.site &&
                     depthAt(fiber, operation.site) == unit.depth;
  return entersAgain || !isIn(fiber, unit, operation.site);
}

/// The outermost entry counts: one inside another of the same object is no unit of its own.
void enter(Fiber* fiber, uint32_t role) {
  const PendingOperation& operation = fiber->view.pending;
  UnitEntry& unit = fiber->units[role];
  bool nested = unit.site == operation.site && unit.object == operation.address &&
                unit.serial != 0 && !hasLeft(fiber, unit);
  if (!nested)
    unit = {operation.site, depthAt(fiber, operation.site), nextSerial++, operation.size,
            operation.address};
}

bool overlap(const MeetingSide& side, const PendingOperation& operation) {
  uint64_t end = side.address + (side.size ? side.size : 1);
  uint64_t otherEnd = operation.address + (operation.size ? operation.size : 1);
  return side.address < otherEnd && operation.address < end;
}

/// Accesses of a common location touch common bytes, and others do not.
bool locationsFit(const Window& window, uint32_t step, const PendingOperation& operation) {
  for (uint32_t s = 0; s < step; ++s) {
    bool common = (pattern.steps[s].locations & pattern.steps[step].locations) != 0;
    if (common != overlap(window.sides[s], operation))
      return false;
  }
  return true;
}

bool isNextOf(const Window& window, const Fiber* fiber, uint32_t step) {
  if (window.progress == 0 || window.progress != step)
    return false;
  uint32_t unit = pattern.steps[step].unit;
  if (!window.fibers[unit])
    return fiber != window.fibers[1 - unit];
  return window.fibers[unit] == fiber && window.serials[unit] == fiber->units[unit].serial;
}

void leave(Window& window) {
  for (Fiber* fiber : window.fibers)
    if (fiber)
      --fiber->windows;
  window.progress = 0;
  window.fibers[0] = window.fibers[1] = nullptr;
}

bool hasStepsLeft(const Window& window, uint32_t unit) {
  for (uint32_t step = window.progress; step < pattern.stepCount; ++step)
    if (pattern.steps[step].unit == unit)
      return true;
  return false;
}

/// Of the locks that it holds at this access, those that the other unit waits for.
void noteLocks(Window& window, const Fiber* fiber, uint32_t unit) {
  window.lockCount[unit] = 0;
  for (uint32_t i = 0; i < fiber->heldCount; ++i)
    if (target->windowLocks[unit] >> i & 1)
      window.locks[unit][window.lockCount[unit]++] = fiber->held[i].object;
}

bool stillHolds(const Window& window, const Fiber* fiber, uint32_t unit) {
  for (uint32_t l = 0; l < window.lockCount[unit]; ++l)
    for (uint32_t i = 0; i < fiber->heldCount; ++i)
      if (fiber->held[i].object == window.locks[unit][l])
        return true;
  return false;
}

/// Where the plan wants to see it, a debugger can stop before the last access.
void show(const Window& window, const Fiber* fiber, uint32_t unit) {
  BatchHeader* batch = persistent().batch;
  if (!batch || !(batch->plan.flags & kPlanStopAtMeeting) || persistent().result.meetings != 1)
    return;
  const Fiber* other = window.fibers[1 - unit];
  __heddle_failure(formatMessage("about to %s, the last access of a violation with T%u",
                                 eventKindText(fiber->view.pending.kind),
                                 raw(other ? other->index() : fiber->index())));
}

void complete(Window& window, const Fiber* fiber, uint32_t unit) {
  ++persistent().result.meetings;
  BatchHeader* batch = persistent().batch;
  if (batch && batch->meeting.sideCount == 0) {
    batch->meeting.step = scheduler.steps;
    memcpy(batch->meeting.sides, window.sides, sizeof window.sides);
    batch->meeting.sideCount = pattern.stepCount;
  }
  show(window, fiber, unit);
  ThreadView* views[] = {&window.fibers[0]->view, &window.fibers[1]->view};
  leave(window);
  scheduler.strategy->met(views, 2);
}

void advance(Window& window, Fiber* fiber, uint32_t step) {
  uint32_t unit = pattern.steps[step].unit;
  if (!window.fibers[unit]) {
    window.fibers[unit] = fiber;
    ++fiber->windows;
  }
  window.serials[unit] = fiber->units[unit].serial;
  describeSide(window.sides[step], fiber, step);
  noteLocks(window, fiber, unit);
  if (++window.progress == pattern.stepCount)
    return complete(window, fiber, unit);
  const Fiber* next = window.fibers[pattern.steps[window.progress].unit];
  scheduler.strategy->advanced(next ? const_cast<ThreadView*>(&next->view) : nullptr);
}

Window* windowToBegin(const Fiber* fiber) {
  Window* free = nullptr;
  for (Window& window : windows) {
    if (window.progress != 0 && window.fibers[0] == fiber) {
      bool under = window.progress > 1 && window.serials[0] == fiber->units[0].serial;
      if (under)
        return nullptr; // the other unit has come: its end is waited for
      leave(window);
      return &window;
    }
    if (window.progress == 0 && !free)
      free = &window;
  }
  return free;
}

} // namespace

void watchPattern(const Target& wanted) {
  target = &wanted;
  pattern = patternOf(wanted);
  nextSerial = 1;
  for (Window& window : windows) {
    window.progress = 0;
    window.fibers[0] = window.fibers[1] = nullptr;
  }
}

RoleMask patternRolesAt(const Fiber* fiber, SiteId site) {
  SiteIdentity identity = identityOf(site);
  RoleMask roles = 0;
  for (uint32_t step = 0; step < pattern.stepCount; ++step)
    if (playsStep(fiber, step, site, identity))
      roles |= static_cast<RoleMask>(1u << step);
  for (uint32_t unit = 0; unit < 2; ++unit)
    if (target->roles[entryRole(unit)].site == identity)
      roles |= static_cast<RoleMask>(1u << entryRole(unit));
  return roles;
}

void followPattern(Fiber* fiber) {
  RoleMask roles = fiber->view.pending.roles;
  for (uint32_t unit = 0; unit < 2; ++unit)
    if (roles >> entryRole(unit) & 1)
      enter(fiber, unit);
  for (Window& window : windows)
    for (uint32_t step = 1; step < pattern.stepCount; ++step)
      if ((roles >> step & 1) && isNextOf(window, fiber, step) &&
          locationsFit(window, step, fiber->view.pending)) {
        advance(window, fiber, step);
        break;
      }
  if (!(roles & 1))
    return;
  if (Window* window = windowToBegin(fiber))
    advance(*window, fiber, 0);
}

void lookAtWindows(Fiber* fiber) {
  for (Window& window : windows) {
    if (window.progress == 0)
      continue;
    for (uint32_t unit = 0; unit < 2; ++unit) {
      if (window.fibers[unit] != fiber || !hasStepsLeft(window, unit))
        continue;
      const UnitEntry& entered = fiber->units[unit];
      if (entered.serial != window.serials[unit] || hasLeft(fiber, entered)) {
        leave(window); // the unit has ended without its second access
        break;
      }
      bool othersTurn = pattern.steps[window.progress].unit != unit;
      if (othersTurn && !stillHolds(window, fiber, unit))
        scheduler.strategy->inWindow(fiber->view);
    }
  }
}

} // namespace heddle::rt
