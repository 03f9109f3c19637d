#include "prefix.h"

namespace heddle {
namespace {

/// ThreadView::priority has the thread's place in the order, and whether it has begun to execute
/// its pending operation.
constexpr uint64_t kBegun = 1;
constexpr uint64_t kPlaceShift = 1;

uint64_t placeOf(const ThreadView& thread) { return thread.priority >> kPlaceShift; }

/// Operations that others do not notice.
bool isUnnoticed(EventKind kind) {
  switch (kind) {
  case EventKind::Fence:
  case EventKind::Spin:
  case EventKind::ThreadStart:
  case EventKind::ThreadDetach:
  case EventKind::ThreadCancel:
  case EventKind::Sleep:
  case EventKind::Yield:
  case EventKind::ClockRead:
    return true;
  default:
    return false;
  }
}

/// Operations that end when somebody wakes the thread; what it does then is one of its own.
bool endsByWake(EventKind kind) {
  return kind == EventKind::CondWait || kind == EventKind::BarrierWait ||
         kind == EventKind::FutexWait;
}

/// Whether what the thread does next is no step.
bool isBetweenSteps(const ThreadView& thread) {
  bool begun = thread.priority & kBegun;
  return isUnnoticed(thread.pending.kind) || (begun && endsByWake(thread.pending.kind));
}

char* append(char* at, const char* text) {
  while (*text)
    *at++ = *text++;
  return at;
}

char* append(char* at, uint32_t number) {
  char digits[12];
  char* first = digits + sizeof(digits) - 1;
  *first = 0;
  do
    *--first = static_cast<char>('0' + number % 10);
  while ((number /= 10) != 0);
  return append(at, first);
}

} // namespace

Prefix::Prefix(const PrefixHeader* header) {
  if (!header)
    return;
  threads_ = header->threads;
  prefixes_ = header->prefixes;
  firstSeed_ = header->firstSeed;
  paths_ = reinterpret_cast<const uint64_t*>(header + 1);
  offsets_ = reinterpret_cast<const uint32_t*>(paths_ + threads_);
  steps_ = reinterpret_cast<const PrefixStep*>(offsets_ + prefixes_ + 1);
}

void Prefix::beginRun(uint64_t seed) {
  uint64_t number = seed - firstSeed_;
  bool isKnown = number < prefixes_;
  begin_ = next_ = isKnown ? offsets_[number] : 0;
  end_ = isKnown ? offsets_[number + 1] : 0;
  unknown_ = 0;
  choice_ = 0;
  diverged_ = false;
}

void Prefix::threadCreated(ThreadView& thread) {
  uint64_t place = 0;
  while (place < threads_ && paths_[place] != raw(thread.path))
    ++place;
  if (place == threads_)
    place += unknown_++;
  thread.priority = place << kPlaceShift;
}

void Prefix::executed(ThreadView& thread, const EnabledSet&) { thread.priority |= kBegun; }

ThreadIndex Prefix::followPrefix(const Choice& choice) {
  PrefixStep step = steps_[next_];
  ThreadIndex found = ThreadIndex::None;
  choice.enabled.forEach([&](ThreadView& thread) {
    if (placeOf(thread) == step.thread)
      found = thread.index;
  });
  diverged_ = found == ThreadIndex::None;
  if (diverged_)
    return choice.fallback;
  ++next_;
  choice_ = step.choice;
  return found;
}

ThreadIndex Prefix::choose(const Choice& choice) {
  ThreadView& current = choice.enabled.view(choice.current);
  if (choice.currentEnabled)
    current.priority &= ~kBegun;
  if (choice.yielded) // it repeats itself: whatever others do may help
    return choice.fallback;
  ThreadView* first = nullptr;
  ThreadView* between = nullptr;
  choice.enabled.forEach([&](ThreadView& thread) {
    if (!between && isBetweenSteps(thread))
      between = &thread;
    if (!first || placeOf(thread) < placeOf(*first))
      first = &thread;
  });
  if (between)
    return between->index;
  if (!diverged_ && !isPastPrefix())
    return followPrefix(choice);
  choice_ = 0;
  return first->index;
}

uint32_t Prefix::chooseWaiter(const Choice&, ThreadView* const* waiters, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t before = 0;
    for (uint32_t j = 0; j < count; ++j)
      before += placeOf(*waiters[j]) < placeOf(*waiters[i]);
    if (before == choice_ % count)
      return i;
  }
  return 0;
}

const char* Prefix::divergence() {
  if (!diverged_)
    return nullptr;
  char* at = append(message_, "step ");
  at = append(at, next_ - begin_ + 1);
  at = append(at, " of the ");
  at = append(at, end_ - begin_);
  at = append(at, " that were to be executed: the thread with number ");
  at = append(at, steps_[next_].thread);
  at = append(at, " cannot run");
  *at = 0;
  return message_;
}

} // namespace heddle
