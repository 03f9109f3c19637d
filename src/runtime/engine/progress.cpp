#include "runtime/engine/progress.h"

#include "runtime/base/arena.h"
#include "runtime/base/caller_state.h"
#include "runtime/core/scheduler_state.h"
#include "runtime/memory/donor.h"
#include "runtime/trace/run_record.h"

namespace heddle::rt {

CallerState heddleCallerStorage asm("heddleCaller");

namespace {

/// Steps without a change after which a thread's state is looked at.
constexpr uint64_t kLookFrom = 16;
/// From here on its writes are looked at: most threads write something before.
constexpr uint64_t kWatchWritesFrom = 8;
/// How often a state is compared with the one that was kept: cycles of the state that are longer
/// are found with one that is kept later.
constexpr uint32_t kComparisons = 4;
constexpr uint64_t kMaxPatience = 1 << 22;
/// Patience at a place at which it was seen to wait before.
constexpr uint64_t kPatienceOfWaiter = 64;
/// Who goes on within so many steps after a turn of the others had waited for them.
constexpr uint64_t kLeavesSoon = 64;
/// More of the stack is not compared.
constexpr uint64_t kComparedStack = 1 << 18;

constexpr uint32_t kWaitSites = 64;
SiteId waitSites[kWaitSites];

bool isWaitSite(SiteId site) { return waitSites[raw(site) % kWaitSites] == site; }

uintptr_t stackLow(const Fiber* fiber) {
  return fiber->donor ? fiber->donor->stackLow : kMainStackBase;
}

/// Four sums side by side: each of them waits for its own multiplication only.
uint64_t sumOfWords(const uint64_t* words, uint64_t count) {
  uint64_t sums[4] = {};
  auto add = [&](uint64_t lane, uint64_t word) {
    sums[lane] = (sums[lane] ^ word) * 0x9e3779b97f4a7c15ull + (sums[lane] >> 29);
  };
  uint64_t i = 0;
  for (; i + 4 <= count; i += 4)
    for (uint64_t lane = 0; lane < 4; ++lane)
      add(lane, words[i + lane]);
  for (; i < count; ++i)
    add(i % 4, words[i]);
  return mix(mix(sums[0], sums[1]), mix(sums[2], sums[3]));
}

/// Whether the registers are those of the fiber on its own stack: a program may have stacks that
/// nobody else knows.
bool isStateKnown(const Fiber* fiber) {
  const CallerState& caller = heddleCaller;
  return caller.entry != CallerEntry::None && caller.stackPointer >= stackLow(fiber) &&
         caller.stackPointer < stackEnd(fiber);
}

/// What a callee keeps, and the stack from the return address on: a site may stand for several
/// instructions.
uint64_t keptState(const Fiber* fiber, uint64_t most = kComparedStack) {
  uint64_t begin = heddleCaller.stackPointer - sizeof(void*);
  uint64_t bytes = stackEnd(fiber) - begin;
  bytes = bytes < most ? bytes : most;
  uint64_t sum = mix(begin, sumOfWords(heddleCaller.kept, 6));
  return mix(sum, sumOfWords(reinterpret_cast<const uint64_t*>(begin), bytes / 8));
}

/// A part of that, which differs in most loops that go on: the registers, and the stack next to
/// them.
uint64_t quickState(const Fiber* fiber) { return keptState(fiber, 16 * sizeof(uint64_t)); }

uint64_t otherState() {
  return heddleCaller.entry == CallerEntry::Hook ? sumOfWords(heddleCaller.others, 8) : 0;
}

/// Whether the write that the fiber was about to make has changed what was there.
bool hasWritten(Fiber* fiber) {
  Watch& watch = fiber->watch;
  if (watch.writeSize == 0)
    return false;
  uint64_t value = 0;
  bool same = loadOften(watch.writeAddress, watch.writeSize, value) && value == watch.writeValue;
  watch.writeSize = 0;
  return !same;
}

/// Remembers what is there now; false: it is too large, and counts as a change.
bool watchWrite(Fiber* fiber, const PendingOperation& operation) {
  Watch& watch = fiber->watch;
  bool small = operation.size != 0 && operation.size <= 8;
  if (!small || !loadOften(operation.address, operation.size, watch.writeValue))
    return false;
  watch.writeAddress = operation.address;
  watch.writeSize = operation.size;
  return true;
}

bool isAccess(EventKind kind) { return kind <= EventKind::AtomicUpdate; }

void beginCycle(Watch& watch) {
  watch.cycleBegan = watch.steps;
  watch.cycleBeganStep = scheduler.steps;
  watch.leastHeld = ~0u;
  watch.calls = false;
  watch.provable = true;
}

/// Keeps the state with which later ones are compared.
void keepState(Fiber* fiber, const PendingOperation& operation) {
  Watch& watch = fiber->watch;
  watch.site = operation.site;
  watch.address = operation.address;
  watch.quick = quickState(fiber);
  watch.kept = keptState(fiber);
  watch.others = otherState();
  watch.compared = 0;
  watch.period = 0;
  watch.keepNext = watch.steps * 2;
  beginCycle(watch);
}

/// A value that lives across a call of the loop is in a register that callees keep, or on the
/// stack; only a loop without calls has some in other registers, and what a call leaves there means
/// nothing.
bool isInKeptState(Fiber* fiber) {
  const Watch& watch = fiber->watch;
  bool same =
      isStateKnown(fiber) && quickState(fiber) == watch.quick && keptState(fiber) == watch.kept;
  return same && (watch.calls || otherState() == watch.others);
}

/// Whether a state was kept, or is about to be: the stack is clean a while before.
bool comparesStates(const Watch& watch) {
  if (watch.steps + 1 < kLookFrom)
    return false;
  return watch.site != SiteId::None || watch.steps + watch.steps / 8 >= watch.keepNext;
}

/// Addresses beyond those that it has used since its last change are something new that it saw.
bool seesNewMemory(Watch& watch, uint64_t address) {
  if (address == 0 || (address >= watch.low && address <= watch.high))
    return false;
  watch.low = address < watch.low ? address : watch.low;
  watch.high = address > watch.high ? address : watch.high;
  return true;
}

/// Without locks, if that comes soon.
bool isOutOfPatience(Watch& watch, const PendingOperation& operation, bool holdsLocks) {
  if (!seesNewMemory(watch, operation.address))
    ++watch.futile;
  uint64_t patience = isWaitSite(operation.site) ? kPatienceOfWaiter : watch.patience;
  return watch.futile > (holdsLocks ? 2 * patience : patience);
}

Standing standsStill(Fiber* fiber) {
  fiber->watch.stoodAt = scheduler.steps;
  return Standing::StandsStill;
}

/// A thread that repeats itself gives way where it holds the fewest locks: what it holds on its way
/// must not be what the others wait for. (Two threads in std::lock could else go on for ever.)
Standing atPlaceToGiveWay(const Fiber* fiber) {
  return fiber->heldCount <= fiber->watch.cycleHeld ? Standing::Repeats : Standing::Works;
}

/// The thread is again where its state was kept.
Standing compareState(Fiber* fiber) {
  Watch& watch = fiber->watch;
  if (isInKeptState(fiber)) {
    watch.period = watch.steps - watch.cycleBegan;
    watch.stoodAt = scheduler.steps;
    watch.repeatsFrom = watch.provable ? watch.cycleBeganStep : 0;
    watch.cycleHeld = watch.leastHeld;
    beginCycle(watch);
    return atPlaceToGiveWay(fiber);
  }
  if (watch.period != 0)
    noteChange(fiber); // it did repeat itself: now it saw something new
  else if (++watch.compared == kComparisons)
    watch.site = SiteId::None;
  return Standing::Works;
}

/// From one repetition to the next the thread gives way wherever it can: others may be able to run
/// at only some of its places.
Standing lookAtState(Fiber* fiber, const PendingOperation& operation) {
  Watch& watch = fiber->watch;
  if (watch.site == operation.site && watch.address == operation.address)
    return compareState(fiber);
  if (watch.period != 0 && watch.steps - watch.cycleBegan < watch.period)
    return atPlaceToGiveWay(fiber);
  if (watch.period != 0)
    noteChange(fiber); // it should be back by now: it went another way
  else if (watch.steps >= watch.keepNext && isStateKnown(fiber))
    keepState(fiber, operation);
  return Standing::Works;
}

} // namespace

uintptr_t stackEnd(const Fiber* fiber) {
  return fiber->donor ? fiber->donor->stackLow + fiber->donor->stackBytes
                      : kMainStackBase + kMainStackBytes;
}

bool hasRoomToScrub(const void* frame) {
  constexpr uintptr_t room = 8192;
  const Fiber* fiber = scheduler.current;
  auto at = reinterpret_cast<uintptr_t>(frame);
  return fiber && at < stackEnd(fiber) && at > stackLow(fiber) + room;
}

bool goesRound(Fiber* fiber) {
  constexpr uint32_t mostComparisons = 64;
  constexpr uint64_t pause = 1 << 16;
  Round& round = fiber->round;
  const PendingOperation& operation = fiber->view.pending;
  round.looks = scheduler.steps >= round.looksAgainAt;
  if (!round.looks || !isStateKnown(fiber))
    return false;
  if (round.site == SiteId::None) {
    round.site = operation.site;
    round.address = operation.address;
    round.quick = quickState(fiber);
    round.kept = keptState(fiber);
    return false;
  }
  if (round.site != operation.site || round.address != operation.address)
    return false;
  bool same = quickState(fiber) == round.quick && keptState(fiber) == round.kept;
  if (same || ++round.compared == mostComparisons) {
    round = {};
    round.looksAgainAt = same ? 0 : scheduler.steps + pause;
  }
  return same;
}

void noteChange(Fiber* fiber) {
  Watch& watch = fiber->watch;
  bool waited = watch.turnSite != SiteId::None && watch.steps <= kLeavesSoon;
  if (waited)
    waitSites[raw(watch.turnSite) % kWaitSites] = watch.turnSite;
  watch = {};
  scheduler.lastChange = scheduler.steps;
}

void noteOutsideWorld(Fiber* fiber) { fiber->watch.provable = false; }

void noteTurn(Fiber* fiber, SiteId site) {
  Watch& watch = fiber->watch;
  uint64_t patience = watch.turnSite == SiteId::None ? kPatience : watch.patience * 2;
  uint64_t stood = watch.stoodAt;
  watch = {};
  watch.patience = patience < kMaxPatience ? patience : kMaxPatience;
  watch.stoodAt = stood;
  watch.turnSite = site;
}

void wantCallerState(const Fiber* fiber) {
  heddleCaller.wanted =
      !scheduler.replaying && (comparesStates(fiber->watch) || fiber->round.looks);
  heddleCaller.entry = CallerEntry::None;
}

Standing lookAtProgress(Fiber* fiber, bool newPlace) {
  Watch& watch = fiber->watch;
  const PendingOperation& operation = fiber->view.pending;
  if (newPlace || (watch.writeSize != 0 && hasWritten(fiber)))
    noteChange(fiber);
  ++watch.steps;
  if (watch.steps >= kWatchWritesFrom && isAccess(operation.kind) && isWrite(operation.kind) &&
      !watchWrite(fiber, operation))
    noteChange(fiber);
  Standing standing = Standing::Works;
  if (watch.steps >= kLookFrom) {
    watch.calls |= heddleCaller.entry == CallerEntry::Function;
    watch.leastHeld = fiber->heldCount < watch.leastHeld ? fiber->heldCount : watch.leastHeld;
    standing = lookAtState(fiber, operation);
    if (standing == Standing::Works && isOutOfPatience(watch, operation, fiber->heldCount != 0))
      standing = standsStill(fiber);
  }
  wantCallerState(fiber);
  return standing;
}

bool stands(const Fiber* fiber) { return fiber->watch.stoodAt > scheduler.lastChange; }

void noteSwitch(Fiber* fiber) {
  fiber->round = {};
  if (fiber->watch.period != 0 && fiber->heldCount > fiber->watch.cycleHeld)
    scheduler.proofFrom = scheduler.steps;
}

bool everybodyStands(bool proven) {
  uint64_t from = proven && scheduler.proofFrom > scheduler.lastChange ? scheduler.proofFrom
                                                                       : scheduler.lastChange;
  for (uint32_t i = 0; i < scheduler.threads; ++i) {
    const Fiber* fiber = scheduler.fibers[i];
    bool enabled = scheduler.enabled[i / 64] >> (i % 64) & 1;
    bool couldRun = enabled || fiber->enabledAt > scheduler.lastChange;
    const Watch& watch = fiber->watch;
    if (!fiber->finished && couldRun && (proven ? watch.repeatsFrom : watch.stoodAt) <= from)
      return false;
  }
  return true;
}

} // namespace heddle::rt
