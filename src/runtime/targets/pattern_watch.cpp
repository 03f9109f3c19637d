#include "runtime/targets/pattern_watch.h"

#include "model/unit_waits.h"
#include "runtime/base/message.h"
#include "runtime/base/persistent.h"
#include "runtime/core/end_of_run.h"
#include "runtime/core/scheduler_state.h"
#include "runtime/targets/meeting_side.h"
#include "runtime/trace/call_frames.h"
#include "strategy/directed_strategy.h"

#include <string.h>

namespace heddle::rt {

namespace {

/// Windows that are followed at the same time: one for each thread that has begun a pattern.
constexpr uint32_t kMaxWindows = 8;

/// Memory that an access of a pattern touched. One access may be made several times, in a loop over
/// elements: any of them may turn out to be the one that the pattern needs.
struct Place {
  uint64_t address;
  uint32_t size;
};
constexpr uint32_t kMaxPlaces = 8;

/// A pattern that has begun: its first accesses were executed.
struct Window {
  uint32_t progress = 0; ///< steps that were executed; 0: free
  Fiber* fibers[2];      ///< that play u and u'; null: nobody yet
  uint32_t serials[2];   ///< of their units
  /// What each of them held at its last access and has to give back before the other can go on.
  const void* locks[2][kMaxHeldLocks];
  uint32_t lockCount[2];
  Place places[kMaxPatternSteps][kMaxPlaces];
  uint32_t placeCount[kMaxPatternSteps];
  MeetingSide sides[kMaxPatternSteps];
};

const Target* target = nullptr;
AccessPattern pattern;
Window windows[kMaxWindows];
uint32_t nextSerial = 1;

uint32_t entryRole(uint32_t unit) { return pattern.stepCount + unit; }

bool inObject(const UnitEntry& unit, const PendingOperation& operation) {
  if (target->owned)
    return true; // what the object owns is elsewhere; where the units meet it is the same
  const SiteRecord* entry = siteRecord(unit.site);
  if (entry && (entry->flags & (kSiteGlobal | kSiteCallees)))
    return true; // the set is more than this one object, and its sites are known
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

bool overlap(const Place& a, const Place& b) {
  uint64_t aEnd = a.address + (a.size ? a.size : 1);
  uint64_t bEnd = b.address + (b.size ? b.size : 1);
  return a.address < bEnd && b.address < aEnd;
}

Place placeOf(const PendingOperation& operation) { return {operation.address, operation.size}; }

/// Chooses a place for each step before `step`, given those from `step` on, so that accesses of a
/// common location touch common bytes, and others do not.
bool choosePlaces(const Window& window, uint32_t step, Place (&chosen)[kMaxPatternSteps],
                  uint32_t end) {
  if (step == 0)
    return true;
  uint32_t earlier = step - 1;
  for (uint32_t p = 0; p < window.placeCount[earlier]; ++p) {
    chosen[earlier] = window.places[earlier][p];
    bool fits = true;
    for (uint32_t s = step; s < end && fits; ++s) {
      bool common = (pattern.steps[s].locations & pattern.steps[earlier].locations) != 0;
      fits = common == overlap(chosen[s], chosen[earlier]);
    }
    if (fits && choosePlaces(window, earlier, chosen, end))
      return true;
  }
  return false;
}

/// Whether the operation can be this step of the pattern that has begun.
bool locationsFit(const Window& window, uint32_t step, const PendingOperation& operation) {
  Place chosen[kMaxPatternSteps];
  chosen[step] = placeOf(operation);
  return choosePlaces(window, step, chosen, step + 1);
}

/// The same access again, somewhere else.
void addPlace(Window& window, uint32_t step, const PendingOperation& operation) {
  uint32_t& count = window.placeCount[step];
  for (uint32_t p = 0; p < count; ++p)
    if (window.places[step][p].address == operation.address)
      return;
  if (count < kMaxPlaces)
    window.places[step][count++] = placeOf(operation);
}

bool isLastOf(const Window& window, const Fiber* fiber, uint32_t step) {
  uint32_t unit = pattern.steps[step].unit;
  return window.progress == step + 1 && window.fibers[unit] == fiber &&
         window.serials[unit] == fiber->units[unit].serial;
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
  uint32_t lock = 0;
  for (uint32_t i = 0; i < fiber->heldCount; ++i) {
    if (fiber->held[i].once)
      continue;
    if (target->windowLocks[unit] >> lock++ & 1)
      window.locks[unit][window.lockCount[unit]++] = fiber->held[i].object;
  }
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

/// The pattern was triggered, with the first `steps` of its accesses.
void recordMeeting(Window& window, uint32_t steps) {
  ++persistent().result.meetings;
  BatchHeader* batch = persistent().batch;
  if (!batch || batch->meeting.sideCount != 0)
    return;
  batch->meeting.step = scheduler.steps;
  Place chosen[kMaxPatternSteps];
  choosePlaces(window, steps, chosen, steps);
  for (uint32_t s = 0; s < steps; ++s)
    window.sides[s].address = chosen[s].address;
  memcpy(batch->meeting.sides, window.sides, sizeof window.sides);
  batch->meeting.sideCount = steps;
}

void complete(Window& window, const Fiber* fiber, uint32_t unit) {
  recordMeeting(window, pattern.stepCount);
  show(window, fiber, unit);
  ThreadView* views[] = {&window.fibers[0]->view, &window.fibers[1]->view};
  leave(window);
  if (scheduler.directed)
    scheduler.directed->met(views, 2);
}

/// Whether the fiber has made all accesses of its unit, which only reads, and the other unit is
/// about to make the last one of the pattern: what it has seen is inconsistent already.
bool hasSeenTorn(const Window& window, const Fiber* fiber) {
  if (window.progress + 1 != pattern.stepCount)
    return false;
  const PatternStep& last = pattern.steps[window.progress];
  uint32_t reader = 1 - last.unit;
  bool reads = true;
  for (uint32_t s = 0; s < window.progress; ++s)
    reads &= pattern.steps[s].unit != reader || !pattern.steps[s].write;
  return reads && last.write && window.fibers[reader] == fiber;
}

void advance(Window& window, Fiber* fiber, uint32_t step) {
  uint32_t unit = pattern.steps[step].unit;
  if (!window.fibers[unit]) {
    window.fibers[unit] = fiber;
    ++fiber->windows;
  }
  window.serials[unit] = fiber->units[unit].serial;
  describeSide(window.sides[step], fiber, step);
  window.placeCount[step] = 0;
  addPlace(window, step, fiber->view.pending);
  noteLocks(window, fiber, unit);
  if (++window.progress == pattern.stepCount)
    return complete(window, fiber, unit);
  Fiber* next = window.fibers[pattern.steps[window.progress].unit];
  if (scheduler.directed)
    scheduler.directed->advanced(window.fibers[0]->view, next ? &next->view : nullptr);
}

Window* windowToBegin(const Fiber* fiber) {
  Window* free = nullptr;
  for (Window& window : windows) {
    if (window.progress != 0 && window.fibers[0] == fiber) {
      if (window.serials[0] == fiber->units[0].serial)
        return nullptr; // it is followed already
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
    for (uint32_t step = 0; step < pattern.stepCount; ++step) {
      bool next = isNextOf(window, fiber, step);
      if (!(roles >> step & 1) || !(next || isLastOf(window, fiber, step)) ||
          !locationsFit(window, step, fiber->view.pending))
        continue;
      if (next)
        advance(window, fiber, step);
      else
        addPlace(window, step, fiber->view.pending);
      if (next)
        break;
    }
  if (!(roles & 1))
    return;
  if (Window* window = windowToBegin(fiber))
    advance(*window, fiber, 0);
}

void lookAtWindows(Fiber* fiber) {
  bool divides = dividesUnits(fiber->view.pending.kind);
  for (Window& window : windows) {
    if (window.progress == 0)
      continue;
    for (uint32_t unit = 0; unit < 2; ++unit) {
      if (window.fibers[unit] != fiber || !hasStepsLeft(window, unit))
        continue;
      const UnitEntry& entered = fiber->units[unit];
      if (divides || entered.serial != window.serials[unit] || hasLeft(fiber, entered)) {
        leave(window); // the unit, or this part of it, has ended without its second access
        break;
      }
      bool othersTurn = pattern.steps[window.progress].unit != unit;
      if (scheduler.directed && othersTurn && !stillHolds(window, fiber, unit))
        scheduler.directed->inWindow(fiber->view, unit);
    }
  }
}

void cutPattern(const Fiber* fiber) {
  if (!target || !fiber || fiber->windows == 0 || persistent().result.meetings != 0)
    return;
  for (Window& window : windows)
    if (window.progress != 0 && hasSeenTorn(window, fiber)) {
      recordMeeting(window, window.progress);
      return;
    }
}

} // namespace heddle::rt
