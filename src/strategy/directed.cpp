#include "directed.h"

namespace heddle {
namespace {

/// A thread stays postponed for at most this many decisions more than a whole run has.
constexpr uint64_t kMinPatience = 1000;
/// So many yields in a row for each thread that could run mean that they wait for a postponed one.
constexpr uint32_t kSpinRounds = 16;
/// How often time may go on in a run before a postponed thread is let go: a thread that wakes up
/// periodically would otherwise go on for ever.
constexpr uint32_t kMaxWaits = 64;
/// Decisions for which who has come through a window goes on, at most.
constexpr uint64_t kLongestLinger = 32;

} // namespace

void Directed::beginBatch(const Plan& plan) {
  kind_ = plan.target.kind;
  approach_ = plan.approach;
  bool needsExamples = approach_.holding == Holding::Moment || approach_.holding == Holding::Object;
  if (!needsExamples)
    approach_.exampleCount = 0;
  entryRole_ = kind_ == TargetKind::AtomicSet ? patternOf(plan.target).stepCount : 0;
  mayLinger_ = kind_ == TargetKind::AtomicSet && !isInterleaved(plan.target.pattern);
  patience_ = kMinPatience + 2 * plan.estimatedSteps;
}

void Directed::beginRun(uint64_t seed) {
  random_.seed(seed);
  early_.beginRun();
  seed_ = seed;
  for (uint32_t& count : arrivals_)
    count = 0;
  quietDecisions_ = 0;
  yields_ = 0;
  waits_ = 0;
  postponed_ = 0;
  granted_ = 0;
  following_ = 0;
  inWindow_ = 0;
  thrashings_ = 0;
  first_ = ThreadIndex::None;
  owner_ = ThreadIndex::None;
  released_ = ThreadIndex::None;
  next_ = ThreadIndex::None;
  lingers_ = 0;
  metBefore_ = false;
}

void Directed::mark(ThreadView& thread, Mark mark) {
  postponed_ -= thread.priority == kPostponed;
  postponed_ += mark == kPostponed;
  granted_ -= thread.priority == kGranted;
  following_ -= thread.priority == kFollowing;
  granted_ += mark == kGranted;
  inWindow_ -= thread.priority == kInWindow;
  inWindow_ += mark == kInWindow;
  following_ += mark == kFollowing;
  thread.priority = mark;
  quietDecisions_ = 0;
}

uint32_t Directed::exampleOf(const ThreadView& thread) const {
  for (uint32_t i = 0; i < approach_.exampleCount; ++i)
    if (approach_.examples[i].thread == thread.path)
      return i;
  return approach_.exampleCount;
}

void Directed::countArrival(const ThreadView& thread) {
  uint32_t example = exampleOf(thread);
  if (example < approach_.exampleCount)
    arrivals_[example] += thread.pending.roles >> approach_.examples[example].role & 1;
}

bool Directed::isAtItsPlace(uint32_t example, const ThreadView& thread) const {
  const RoleExample& wanted = approach_.examples[example];
  if (!(thread.pending.roles >> wanted.role & 1))
    return false;
  if (approach_.holding == Holding::Moment)
    return arrivals_[example] == wanted.occurrence;
  uint64_t begin = thread.pending.address;
  uint64_t end = begin + (thread.pending.size ? thread.pending.size : 1);
  return begin <= wanted.address && wanted.address < end;
}

bool Directed::shallHold(const ThreadView& thread) {
  if (byExample()) {
    uint32_t example = exampleOf(thread);
    return example < approach_.exampleCount && isAtItsPlace(example, thread);
  }
  if (approach_.holding == Holding::Behind)
    return thread.pending.roles == 0;
  return approach_.holding == Holding::Everybody || random_.below(2) == 0;
}

void Directed::arrived(ThreadView& thread) {
  countArrival(thread);
  if (kind_ == TargetKind::AtomicSet)
    return arrivedAtUnit(thread);
  if (shallHold(thread))
    mark(thread, kPostponed);
}

bool Directed::enters(const ThreadView& thread, uint32_t unit) const {
  return thread.pending.roles >> (entryRole_ + unit) & 1;
}

/// Who is to be the second one waits before its unit, where it does not hold anything yet that the
/// first one needs; until that one is in its window.
void Directed::arrivedAtUnit(ThreadView& thread) {
  bool first = enters(thread, 0);
  bool second = enters(thread, 1);
  if (first && released_ == thread.index)
    released_ = ThreadIndex::None;
  if (first && owner_ == thread.index) { // the window that it had has closed
    owner_ = ThreadIndex::None;
    next_ = ThreadIndex::None;
  }
  if (metBefore_ || owner_ != ThreadIndex::None)
    return;
  if (byExample()) {
    bool isSecond = exampleOf(thread) == 1;
    if (second && isSecond && isAtItsPlace(1, thread))
      mark(thread, kPostponed);
    return;
  }
  if (first && first_ == ThreadIndex::None)
    first_ = thread.index;
  bool some = approach_.holding == Holding::Some;
  if (second && first_ != thread.index && (!some || random_.below(2) == 0))
    mark(thread, kPostponed);
}

/// Whether the thread's window is one to lead the others through.
bool Directed::mayOwnWindow(const ThreadView& thread) const {
  if (owner_ != ThreadIndex::None || thread.index == released_)
    return false;
  if (!byExample())
    return true;
  bool atMoment =
      approach_.holding != Holding::Moment || arrivals_[0] == approach_.examples[0].occurrence;
  return exampleOf(thread) == 0 && atMoment;
}

void Directed::inWindow(ThreadView& thread, uint32_t unit) {
  if (metBefore_)
    return;
  if (unit == 0 && mayOwnWindow(thread))
    owner_ = thread.index;
  bool isOwner = unit == 0 && thread.index == owner_;
  bool isPartner = unit == 1 && owner_ != ThreadIndex::None && next_ == owner_;
  if (isOwner || isPartner)
    mark(thread, kInWindow);
}

void Directed::advanced(ThreadView& first, ThreadView* next) {
  if (first.index != owner_)
    return; // somebody else has begun the pattern, too
  next_ = next ? next->index : ThreadIndex::None;
  quietDecisions_ = 0;
  if (mayLinger_ && next_ == owner_ && (seed_ & 2) != 0)
    lingers_ = 1 + random_.below(kLongestLinger);
  if (next && (next->priority == kInWindow || next->priority == kPostponed))
    mark(*next, kGranted);
}

void Directed::met(ThreadView* const* threads, uint32_t count) {
  if (kind_ != TargetKind::AtomicSet)
    countArrival(*threads[0]);
  if (kind_ == TargetKind::Race)
    resolveRace(threads, count);
  else if (kind_ == TargetKind::AtomicSet)
    metBefore_ = true; // all are free from here on
  else
    for (uint32_t i = 0; i < count; ++i)
      mark(*threads[i], kGranted);
  metBefore_ = true;
}

/// threads[0] has arrived just now and is in a race with each of the others.
void Directed::resolveRace(ThreadView* const* threads, uint32_t count) {
  ThreadView& arrived = *threads[0];
  ThreadView& other = *threads[1];
  if (other.pending.roles == 0) { // it has made its access already
    mark(arrived, kGranted);
    mark(other, random_.below(2) != 0 ? kFollowing : kPostponed);
    return;
  }
  bool sameRoles = arrived.pending.roles == other.pending.roles;
  bool arrivedIsFirst =
      sameRoles ? raw(arrived.index) < raw(other.index) : (arrived.pending.roles & 1) != 0;
  bool firstLeads = metBefore_ ? random_.below(2) != 0 : (seed_ & 1) == 0;
  bool followsAtOnce = metBefore_ ? random_.below(2) != 0 : (seed_ & 2) == 0;
  bool arrivedLeads = firstLeads == arrivedIsFirst;
  Mark later = followsAtOnce ? kFollowing : kPostponed;
  mark(arrived, arrivedLeads ? kGranted : later);
  for (uint32_t i = 1; i < count; ++i)
    mark(*threads[i], arrivedLeads ? later : kGranted);
}

uint32_t Directed::countMarked(const EnabledSet& enabled, Mark mark) {
  uint32_t count = 0;
  enabled.forEach([&](const ThreadView& thread) { count += thread.priority == mark; });
  return count;
}

ThreadView& Directed::nthMarked(const EnabledSet& enabled, Mark mark, uint64_t n) {
  ThreadView* found = nullptr;
  enabled.forEach([&](ThreadView& thread) {
    if (thread.priority == mark && n-- == 0)
      found = &thread;
  });
  return *found;
}

ThreadIndex Directed::pick(const EnabledSet& enabled, Mark wanted, uint32_t count) {
  ThreadView& thread = nthMarked(enabled, wanted, random_.below(count));
  mark(thread, kFree);
  return thread.index;
}

/// The next thread of a meeting, or None.
ThreadIndex Directed::nextGranted(const EnabledSet& enabled) {
  if (uint32_t count = granted_ == 0 ? 0 : countMarked(enabled, kGranted); count != 0)
    return pick(enabled, kGranted, count);
  if (uint32_t count = following_ == 0 ? 0 : countMarked(enabled, kFollowing); count != 0)
    return pick(enabled, kFollowing, count);
  return ThreadIndex::None;
}

/// Whether the others wait for a thread that is postponed.
bool Directed::isStuck(const Choice& choice) {
  yields_ = choice.yielded ? yields_ + 1 : 0;
  return yields_ > kSpinRounds * (choice.enabled.count() + 1) || ++quietDecisions_ > patience_;
}

bool Directed::isOnItsWay(const Choice& choice) {
  if (!choice.currentEnabled)
    return false;
  const ThreadView& thread = choice.enabled.view(choice.current);
  bool plain = thread.pending.kind == EventKind::Read || thread.pending.kind == EventKind::Write;
  return plain && thread.pending.roles == 0 && thread.priority == kFree;
}

/// One of the free threads, at random; but while the example is to be triggered its leader is run
/// first, then the others that it needs, and before the leader is there those are run last. When
/// that leads nowhere they may be what the leader waits for.
ThreadIndex Directed::chooseFree(const EnabledSet& enabled, uint32_t free, bool stuck) {
  // Without pick(): they are free as it is.
  auto n = static_cast<uint32_t>(random_.below(free));
  ThreadView& any =
      free == enabled.count() ? enabled.view(enabled.nth(n)) : nthMarked(enabled, kFree, n);
  if (approach_.leader >= approach_.exampleCount || metBefore_ || stuck)
    return any.index;
  bool leaderIsThere = false;
  ThreadView* leader = nullptr;
  ThreadView* follower = nullptr;
  ThreadView* bystander = exampleOf(any) < approach_.exampleCount ? nullptr : &any;
  enabled.forEach([&](ThreadView& thread) {
    uint32_t example = exampleOf(thread);
    bool held = thread.priority == kPostponed || thread.priority == kInWindow;
    if (example == approach_.leader && held)
      leaderIsThere = true;
    if (thread.priority != kFree)
      return;
    if (example == approach_.leader)
      leader = &thread;
    else if (example < approach_.exampleCount)
      follower = &thread;
    else if (!bystander)
      bystander = &thread;
  });
  if (leader)
    return leader->index;
  if (follower && (leaderIsThere || !bystander))
    return follower->index;
  return bystander ? bystander->index : any.index;
}

/// Nobody else can run: one of those that are held must.
ThreadIndex Directed::letGo(const EnabledSet& enabled) {
  ++thrashings_;
  yields_ = 0;
  if (uint32_t postponed = countMarked(enabled, kPostponed); postponed != 0) {
    first_ = pick(enabled, kPostponed, postponed);
    return first_;
  }
  released_ = pick(enabled, kInWindow, countMarked(enabled, kInWindow));
  owner_ = ThreadIndex::None;
  next_ = ThreadIndex::None;
  return released_;
}

ThreadIndex Directed::lingering(const Choice& choice) {
  bool mayGoOn = lingers_ != 0 && choice.currentEnabled && choice.current != owner_;
  lingers_ = mayGoOn ? lingers_ - 1 : 0;
  return mayGoOn ? choice.current : ThreadIndex::None;
}

ThreadIndex Directed::chooseForPattern(const Choice& choice) {
  const EnabledSet& enabled = choice.enabled;
  if (metBefore_)
    return enabled.nth(static_cast<uint32_t>(random_.below(enabled.count())));
  if (ThreadIndex other = lingering(choice); other != ThreadIndex::None)
    return other;
  if (granted_ != 0)
    if (ThreadIndex next = nextGranted(enabled); next != ThreadIndex::None)
      return next;
  if (owner_ != ThreadIndex::None) // the way is open for those who wait before their units
    enabled.forEach([&](ThreadView& thread) {
      if (thread.priority == kPostponed)
        mark(thread, kFree);
    });
  uint32_t free = countMarked(enabled, kFree);
  bool stuck = isStuck(choice);
  bool someHeld = free != enabled.count();
  if (stuck && someHeld)
    return letGo(enabled);
  if (free == 0 && choice.mayWait && waits_ < kMaxWaits) {
    ++waits_;
    return ThreadIndex::None;
  }
  if (free == 0)
    return letGo(enabled);
  if (next_ != ThreadIndex::None && enabled.contains(next_) &&
      enabled.view(next_).priority == kFree && !stuck)
    return next_;
  return chooseFree(enabled, free, stuck);
}

ThreadIndex Directed::choose(const Choice& choice) {
  if (kind_ == TargetKind::AtomicSet)
    return chooseForPattern(choice);
  const EnabledSet& enabled = choice.enabled;
  if (granted_ + following_ != 0)
    if (ThreadIndex next = nextGranted(enabled); next != ThreadIndex::None)
      return next;
  // Whoever could run and is neither granted nor following.
  uint32_t postponed = postponed_ == 0 ? 0 : countMarked(enabled, kPostponed);
  uint32_t free =
      granted_ + following_ == 0 ? enabled.count() - postponed : countMarked(enabled, kFree);
  bool stuck = isStuck(choice);
  if (stuck && postponed != 0) {
    yields_ = 0;
    return pick(enabled, kPostponed, postponed);
  }
  if (isOnItsWay(choice))
    return choice.current;
  if (free != 0)
    return chooseFree(enabled, free, stuck);
  if (choice.mayWait && waits_ < kMaxWaits) {
    ++waits_;
    return ThreadIndex::None;
  }
  return pick(enabled, kPostponed, postponed);
}

uint32_t Directed::chooseWaiter(const Choice&, ThreadView* const*, uint32_t count) {
  return static_cast<uint32_t>(random_.below(count));
}

bool Directed::chooseEarly(const Choice&, DecisionKind, ThreadView&) {
  return early_.draw(random_);
}

} // namespace heddle
