#include "predict/lock_cycles.h"
#include "trace_builder.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace heddle {
namespace {

using test::TraceBuilder;
constexpr uint64_t kA = 0x2000, kB = 0x2040, kC = 0x2080, kGate = 0x20c0;

std::vector<LockCycle> cyclesOf(const TraceBuilder& trace) {
  LockCycles analysis;
  analysis.add(trace.events());
  return analysis.cycles();
}

TraceBuilder threads(uint32_t count) {
  TraceBuilder trace;
  for (uint32_t i = 1; i <= count; ++i)
    trace.start(0, i);
  return trace;
}

/// `thread` takes the locks in this order at sites 10 * thread, 10 * thread + 1 ... and gives them
/// back.
void nest(TraceBuilder& trace, uint32_t thread, const std::vector<uint64_t>& locks) {
  uint32_t site = thread * 10;
  for (uint64_t lock : locks)
    trace.add(thread, EventKind::MutexLock, lock, site++);
  for (size_t i = locks.size(); i-- > 0;)
    trace.unlock(thread, locks[i]);
}

TEST(LockCycles, OfTwoThreadsInOppositeOrder) {
  TraceBuilder trace = threads(2);
  nest(trace, 1, {kA, kB});
  nest(trace, 2, {kB, kA});
  std::vector<LockCycle> cycles = cyclesOf(trace);
  ASSERT_EQ(cycles.size(), 1u);
  ASSERT_EQ(cycles[0].edges.size(), 2u);
  const LockEdge& first = cycles[0].edges[0];
  EXPECT_EQ(first.thread, 1u);
  EXPECT_EQ(first.held, kA);
  EXPECT_EQ(first.wanted, kB);
  EXPECT_EQ(raw(first.heldSite), 10u);
  EXPECT_EQ(raw(first.site), 11u);
  EXPECT_EQ(cycles[0].edges[1].held, kB);
}

TEST(LockCycles, SameOrderIsNone) {
  TraceBuilder trace = threads(2);
  nest(trace, 1, {kA, kB});
  nest(trace, 2, {kA, kB});
  EXPECT_TRUE(cyclesOf(trace).empty());
}

TEST(LockCycles, OfOneThreadIsNone) {
  TraceBuilder trace = threads(1);
  nest(trace, 1, {kA, kB});
  nest(trace, 1, {kB, kA});
  EXPECT_TRUE(cyclesOf(trace).empty());
}

TEST(LockCycles, AGateLockPreventsIt) {
  TraceBuilder trace = threads(2);
  nest(trace, 1, {kGate, kA, kB});
  nest(trace, 2, {kGate, kB, kA});
  EXPECT_TRUE(cyclesOf(trace).empty());
}

TEST(LockCycles, ThreadsThatNeverMeetHaveNone) {
  TraceBuilder trace;
  trace.start(0, 1);
  nest(trace, 1, {kA, kB});
  trace.finish(1).join(0, 1).start(0, 2);
  nest(trace, 2, {kB, kA});
  EXPECT_TRUE(cyclesOf(trace).empty());
}

TEST(LockCycles, OfThreePhilosophers) {
  TraceBuilder trace = threads(3);
  nest(trace, 1, {kA, kB});
  nest(trace, 2, {kB, kC});
  nest(trace, 3, {kC, kA});
  std::vector<LockCycle> cycles = cyclesOf(trace);
  ASSERT_EQ(cycles.size(), 1u);
  EXPECT_EQ(cycles[0].edges.size(), 3u);
  for (size_t i = 0; i < 3; ++i)
    EXPECT_EQ(cycles[0].edges[i].wanted, cycles[0].edges[(i + 1) % 3].held);
}

TEST(LockCycles, ATryDoesNotWait) {
  TraceBuilder trace = threads(2);
  nest(trace, 1, {kA, kB});
  trace.lock(2, kB);
  trace.add(2, EventKind::MutexTryLock, kA).add(2, EventKind::MutexTryLock, kA);
  trace.unlock(2, kA).unlock(2, kB);
  EXPECT_TRUE(cyclesOf(trace).empty());
}

TEST(LockCycles, ALockTakenByATryIsHeld) {
  TraceBuilder trace = threads(2);
  trace.add(1, EventKind::MutexTryLock, kA, 1).add(1, EventKind::MutexTryLock, kA, 1);
  trace.add(1, EventKind::MutexLock, kB, 2).unlock(1, kB).unlock(1, kA);
  nest(trace, 2, {kB, kA});
  EXPECT_EQ(cyclesOf(trace).size(), 1u);
}

TEST(LockCycles, AnAttemptThatHasToWaitCounts) {
  TraceBuilder trace = threads(2);
  trace.add(1, EventKind::MutexLock, kA, 1).add(1, EventKind::MutexLock, kB, 2);
  trace.add(2, EventKind::MutexLock, kC, 3); // another lock: T2 goes on
  trace.unlock(1, kB).unlock(1, kA).add(2, EventKind::MutexLock, kB, 4);
  trace.add(2, EventKind::MutexLock, kA, 5).add(2, EventKind::MutexLock, kA, 5, 0, EBUSY);
  EXPECT_EQ(cyclesOf(trace).size(), 1u);
}

TEST(LockCycles, ManyRoundsAreOneCycle) {
  TraceBuilder trace = threads(2);
  for (int i = 0; i < 1000; ++i) {
    nest(trace, 1, {kA, kB});
    nest(trace, 2, {kB, kA});
  }
  EXPECT_EQ(cyclesOf(trace).size(), 1u);
}

TEST(LockCycles, ReadersDoNotGuard) {
  TraceBuilder trace = threads(2);
  for (uint32_t thread : {1u, 2u}) {
    trace.add(thread, EventKind::ReadLock, kGate);
    nest(trace, thread, thread == 1 ? std::vector{kA, kB} : std::vector{kB, kA});
    trace.add(thread, EventKind::RwUnlock, kGate);
  }
  EXPECT_EQ(cyclesOf(trace).size(), 1u);
}

} // namespace
} // namespace heddle
