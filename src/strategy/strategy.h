#pragma once

#include "../model/batch.h"
#include "../model/event.h"
#include "../model/ids.h"

#include <stddef.h>
#include <stdint.h>

/// What a strategy sees of the program, and what it decides. Strategies are linked into the
/// runtime: freestanding code, no allocation, no libstdc++, no static constructors. One strategy
/// is one file pair and one line in registry.cpp.
namespace heddle {

/// The operation that a thread will execute when it is chosen.
struct PendingOperation {
  EventKind kind = EventKind::ThreadStart;
  SiteId site = SiteId::None;
  uint64_t address = 0;  ///< 0: touches nothing that others could see
  uint32_t size = 0;     ///< bytes, where it is known
  RoleMask roles = 0;    ///< of the plan's target that the thread can play here
  bool selected = false; ///< its site is one of the plan's selected sites
};

/// Whether two operations of different threads do not commute: same object, one of them writes.
constexpr bool conflict(const PendingOperation& a, const PendingOperation& b) {
  return a.address != 0 && a.address == b.address && (isWrite(a.kind) || isWrite(b.kind));
}

/// A thread as strategies see it.
struct ThreadView {
  ThreadIndex index = ThreadIndex::None;
  ThreadPath path = ThreadPath::None;
  PendingOperation pending;
  uint64_t priority = 0; ///< free for the strategy; 0 when the thread is created
};

/// The threads that could run next. Threads are bits of a set, ordered by index.
class EnabledSet {
public:
  EnabledSet(const uint64_t* words, uint32_t wordCount, uint32_t count, ThreadView* const* threads)
      : words_(words), wordCount_(wordCount), count_(count), threads_(threads) {}

  uint32_t count() const { return count_; }
  bool contains(ThreadIndex index) const {
    uint32_t i = raw(index);
    return i / 64 < wordCount_ && (words_[i / 64] >> (i % 64) & 1);
  }
  /// The n-th (from 0) enabled thread in order of index; n < count().
  ThreadIndex nth(uint32_t n) const {
    uint32_t word = 0;
    for (; word + 1 < wordCount_; ++word) {
      uint32_t here = static_cast<uint32_t>(__builtin_popcountll(words_[word]));
      if (n < here)
        break;
      n -= here;
    }
    return static_cast<ThreadIndex>(word * 64 + nthBit(words_[word], n));
  }
  /// Calls visit(ThreadView&) for every enabled thread, in order of index.
  template <typename Visit> void forEach(Visit visit) const {
    for (uint32_t w = 0; w < wordCount_; ++w)
      for (uint64_t bits = words_[w]; bits != 0; bits &= bits - 1)
        visit(*threads_[w * 64 + static_cast<uint32_t>(__builtin_ctzll(bits))]);
  }
  /// The first enabled thread after `index`, cyclically; may be `index` itself if it is the only
  /// one.
  ThreadIndex after(ThreadIndex index) const;
  ThreadView& view(ThreadIndex index) const { return *threads_[raw(index)]; }

private:
  static constexpr uint64_t kOnes = 0x0101010101010101ull;

  /// How many bytes of `counts`, summed up from the lowest on, stay at or below n (n < 64); leaves
  /// in n what is left of it there.
  static uint32_t bytesUpTo(uint64_t counts, uint32_t& n) {
    uint64_t sums = counts * kOnes;
    uint64_t atMost = ((n | 0x80) * kOnes - sums) & (0x80 * kOnes);
    uint32_t bytes = static_cast<uint32_t>(((atMost >> 7) * kOnes) >> 56);
    n -= static_cast<uint32_t>((sums << 8) >> (bytes * 8)) & 0xff;
    return bytes;
  }
  /// Position of the n-th (from 0) bit that is set. First the byte, then the bit in it, without a
  /// branch: who is chosen is random, and a processor would guess it wrong.
  static uint32_t nthBit(uint64_t bits, uint32_t n) {
    uint64_t counts = bits - ((bits >> 1) & 0x5555555555555555ull);
    counts = (counts & 0x3333333333333333ull) + ((counts >> 2) & 0x3333333333333333ull);
    uint32_t byte = bytesUpTo((counts + (counts >> 4)) & 0x0f0f0f0f0f0f0f0full, n);
    uint64_t spread = ((bits >> (byte * 8)) & 0xff) * kOnes & 0x8040201008040201ull;
    return byte * 8 + bytesUpTo(((spread + 0x7f * kOnes) >> 7) & kOnes, n);
  }

  const uint64_t* words_;
  uint32_t wordCount_;
  uint32_t count_;
  ThreadView* const* threads_;
};

/// One decision to take. `fallback` is what the non-preemptive default takes.
struct Choice {
  const EnabledSet& enabled;
  ThreadIndex current; ///< the thread at the scheduling point
  bool currentEnabled; ///< false when it blocks, ends or yields
  bool yielded;        ///< it gives way on purpose or spins: it is not in `enabled`
  ThreadIndex fallback;
  SiteIdentity site;    ///< where `current` is
  uint32_t occurrence;  ///< which decision of `current` at `site`, from 1
  bool mayWait = false; ///< threads sleep: None may be chosen, and time goes on to the next of them
};

/// A small fast generator (xoshiro256**); the one source of randomness in a run.
class Random {
public:
  void seed(uint64_t seed);
  uint64_t next() {
    uint64_t result = rotateLeft(state_[1] * 5, 7) * 9;
    uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotateLeft(state_[3], 45);
    return result;
  }
  /// Uniform in [0, bound), bound > 0.
  uint64_t below(uint64_t bound) {
    return static_cast<uint64_t>((static_cast<unsigned __int128>(next()) * bound) >> 64);
  }

private:
  static uint64_t rotateLeft(uint64_t value, int bits) {
    return (value << bits) | (value >> (64 - bits));
  }

  uint64_t state_[4];
};

class DirectedStrategy;

/// How far a strategy follows a schedule that was given to it.
enum class Following : uint8_t {
  Nothing,
  Exactly,
  WhereItApplies, ///< and decides like any other strategy elsewhere
};

/// What the scheduler has to know of a strategy; it asks at the beginning of a run, so that a
/// decision does not pay for what its strategy does without.
struct StrategyTraits {
  bool wantsExecuted = false;   ///< Strategy::executed is to be called
  bool wantsAllChoices = false; ///< choose() is wanted also where only one thread can run
  /// It holds threads on purpose and knows when to let them go: fairness is its own business, and
  /// it may ask for time to pass.
  bool holdsThreads = false;
  Following follows = Following::Nothing;
};

/// Decides the next thread. All methods run inside the program, between two of its instructions.
/// A strategy object is created once per batch; beginRun starts it anew for each run. Whatever it
/// keeps across runs (length estimates) stays in its own members.
class Strategy {
public:
  virtual StrategyTraits traits() const { return {}; }
  /// Who is to be told of the plan's target, and counts what came of it; null: nobody.
  virtual DirectedStrategy* directed() { return nullptr; }
  virtual void beginBatch(const Plan& plan) { (void)plan; }
  virtual void beginRun(uint64_t seed) { (void)seed; }
  /// Called only when more than one thread is enabled, or when `currentEnabled` is false and the
  /// choice is forced (count 1): then the answer is ignored. Must return an enabled thread, or
  /// None where the choice allows it.
  virtual ThreadIndex choose(const Choice& choice) { return choice.fallback; }
  /// Which of `count` waiters (from 0, in order of arrival) a signal wakes.
  virtual uint32_t chooseWaiter(const Choice& choice, ThreadView* const* waiters, uint32_t count) {
    (void)choice, (void)waiters, (void)count;
    return 0;
  }
  /// Whether a timed wait may expire now, or a condition variable wake spuriously
  /// (asked only under --time=any and --spurious).
  virtual bool chooseEarly(const Choice& choice, DecisionKind kind, ThreadView& waiter) {
    (void)choice, (void)kind, (void)waiter;
    return false;
  }
  /// Asked when a thread seems to spin: whether it may be made to give way now.
  virtual bool mayForceYield() { return true; }
  /// Asked when a thread runs for long in code without hooks: whether its next decision may be
  /// one to give way, at `site`. Replay knows.
  virtual bool expects(const ThreadView& thread, SiteIdentity site) const {
    (void)thread, (void)site;
    return true;
  }
  virtual void threadCreated(ThreadView& thread) { (void)thread; }
  virtual void threadFinished(ThreadView& thread) { (void)thread; }
  /// `thread` executes its pending operation now. `enabled` is the set before it runs.
  virtual void executed(ThreadView& thread, const EnabledSet& enabled) {
    (void)thread, (void)enabled;
  }
  virtual void endRun(uint64_t steps) { (void)steps; }
  /// Replay only: what is wrong when the schedule was not followed to its end, else null.
  virtual const char* divergence() { return nullptr; }

protected:
  ~Strategy() = default;
};

/// Memory for the strategy object of a batch, outside every snapshot.
struct StrategyMemory {
  alignas(64) unsigned char bytes[16384];
};

/// Makes the strategy that the plan names. `schedule` is the plan's list of decisions (Replay).
Strategy* makeStrategy(StrategyMemory& memory, const Plan& plan, const Decision* schedule);

} // namespace heddle
