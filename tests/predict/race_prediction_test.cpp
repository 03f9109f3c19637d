#include "predict/race_prediction.h"
#include "trace_builder.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <set>

namespace heddle {
namespace {

using test::TraceBuilder;
using SitePairs = std::set<std::pair<uint32_t, uint32_t>>;

std::vector<RacePair> predict(const TraceBuilder& trace) {
  RacePrediction prediction;
  prediction.add(trace.events());
  return prediction.pairs();
}

SitePairs sitesOf(const TraceBuilder& trace) {
  SitePairs result;
  for (const RacePair& pair : predict(trace))
    result.emplace(raw(pair.first.site), raw(pair.second.site));
  return result;
}

TraceBuilder twoThreads() {
  TraceBuilder trace;
  trace.start(0, 1).start(0, 2);
  return trace;
}

constexpr uint64_t kX = 0x1000, kY = 0x1008, kZ = 0x1010, kLock = 0x2000, kOther = 0x2040;

TEST(RacePrediction, FigureOneHasItsTwoPairs) {
  // thread 1: 1: x = 1; 2: lock; 3: y = 1; 4: unlock; 5: if (z == 1) error
  // thread 2: 6: z = 1 ... numbered as in the paper: 7: z = 1; 8: lock; 9: if (y == 1) 10: if (x !=
  // 1)
  TraceBuilder trace = twoThreads();
  trace.write(1, kX, 1).lock(1, kLock).write(1, kY, 3).unlock(1, kLock).read(1, kZ, 5);
  trace.write(2, kZ, 7).lock(2, kLock).read(2, kY, 9).read(2, kX, 10).unlock(2, kLock);
  EXPECT_EQ(sitesOf(trace), (SitePairs{{1, 10}, {5, 7}}));
}

TEST(RacePrediction, WhatALibrarySaysOrders) {
  TraceBuilder trace = twoThreads();
  trace.write(1, kX, 1).add(1, EventKind::Release, kOther);
  trace.add(2, EventKind::Acquire, kOther).read(2, kX, 2);
  trace.write(1, kY, 3).add(2, EventKind::Acquire, kOther).read(2, kY, 4);
  EXPECT_EQ(sitesOf(trace), (SitePairs{{3, 4}})) << "released before the write";
}

TEST(RacePrediction, AssemblyIsNoSideOfARace) {
  TraceBuilder trace = twoThreads();
  trace.add(1, EventKind::AtomicUpdate, kX, 1, 4, kAccessAssembly).write(2, kX, 2);
  trace.add(1, EventKind::AtomicUpdate, kY, 3, 4).write(2, kY, 4);
  EXPECT_EQ(sitesOf(trace), (SitePairs{{3, 4}}));
}

TEST(RacePrediction, NamesUnseenCallsBetweenTheSides) {
  TraceBuilder trace = twoThreads();
  trace.write(1, kX, 1).add(1, EventKind::UnseenCall, 0, 50);
  trace.add(2, EventKind::UnseenCall, 0, 51).read(2, kX, 2);
  trace.write(1, kY, 3).read(2, kY, 4);
  trace.write(2, kZ, 5).add(2, EventKind::UnseenCall, 0, 51).read(1, kZ, 6);
  for (const RacePair& pair : predict(trace)) {
    bool ordered = raw(pair.first.site) != 3;
    EXPECT_EQ(pair.unseen.isPossible(), ordered) << raw(pair.first.site);
    if (raw(pair.first.site) == 1) {
      EXPECT_EQ(raw(pair.unseen.release), 50u);
      EXPECT_EQ(raw(pair.unseen.acquire), 51u);
    }
  }
}

TEST(RacePrediction, OrderByLockHandOverHidesNothingButComesLast) {
  TraceBuilder trace = twoThreads();
  trace.write(1, kX, 1).lock(1, kLock).unlock(1, kLock);
  trace.lock(2, kLock).unlock(2, kLock).read(2, kX, 10);
  trace.write(1, kZ, 5).write(2, kZ, 7);
  std::vector<RacePair> pairs = predict(trace);
  ASSERT_EQ(pairs.size(), 2u);
  EXPECT_EQ(raw(pairs[0].first.site), 5u);
  EXPECT_TRUE(pairs[0].unordered);
  EXPECT_EQ(raw(pairs[1].first.site), 1u);
  EXPECT_FALSE(pairs[1].unordered);
}

/// Twelve sites of three threads at one cell, again and again, each in a critical section; `lock`
/// gives the lock of a thread.
RacePrediction crowdedCell(int rounds, uint64_t (*lock)(uint32_t thread)) {
  TraceBuilder trace;
  trace.start(0, 1).start(0, 2).start(0, 3);
  for (int round = 0; round < rounds; ++round)
    for (uint32_t thread = 1; thread <= 3; ++thread) {
      trace.lock(thread, lock(thread));
      for (uint32_t site = 0; site < 4; ++site)
        trace.write(thread, kX, 10 * thread + site);
      trace.unlock(thread, lock(thread));
    }
  RacePrediction prediction;
  prediction.add(trace.events());
  return prediction;
}

TEST(RacePrediction, WhatCanNotRaceIsComparedOnce) {
  auto oneLock = [](uint32_t) { return kLock; };
  RacePrediction prediction = crowdedCell(1000, oneLock);
  EXPECT_TRUE(prediction.pairs().empty());
  EXPECT_LE(prediction.comparisons(), 12u * 12u);
}

TEST(RacePrediction, WhatNothingOrdersIsComparedOnce) {
  auto ownLock = [](uint32_t thread) { return kLock + 64 * thread; };
  RacePrediction prediction = crowdedCell(1000, ownLock);
  EXPECT_EQ(prediction.pairs().size(), 3u * 4u * 4u);
  for (const RacePair& pair : prediction.pairs())
    EXPECT_TRUE(pair.unordered);
  EXPECT_LE(prediction.comparisons(), 12u * 12u);
}

TEST(RacePrediction, AnOrderThatIsMissingLaterIsNoticed) {
  TraceBuilder trace = twoThreads();
  for (int i = 0; i < 3; ++i) {
    trace.write(1, kX, 1).lock(1, kLock).unlock(1, kLock);
    trace.lock(2, kLock).unlock(2, kLock).read(2, kX, 10);
    trace.lock(2, kLock).unlock(2, kLock).lock(1, kLock).unlock(1, kLock);
  }
  ASSERT_EQ(predict(trace).size(), 1u);
  EXPECT_FALSE(predict(trace)[0].unordered);
  trace.write(1, kX, 1).read(2, kX, 10);
  std::vector<RacePair> pairs = predict(trace);
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_TRUE(pairs[0].unordered);
  EXPECT_EQ(pairs[0].first.occurrence, 4u);
}

TEST(RacePrediction, MoreRecordsThanACellKeeps) {
  TraceBuilder trace = twoThreads();
  for (uint32_t site = 0; site < 100; ++site)
    trace.write(1, kX, 100 + site);
  trace.write(2, kX, 1);
  for (uint32_t site = 0; site < 10; ++site)
    trace.write(1, kX, 300 + site);
  SitePairs pairs = sitesOf(trace);
  EXPECT_EQ(pairs.size(), 64u + 10u);
  EXPECT_TRUE(pairs.contains({1, 199}) && pairs.contains({1, 309}));
}

TEST(RacePrediction, AnExampleNamesThreadsAndTimes) {
  TraceBuilder trace = twoThreads();
  trace.write(1, kX, 1).write(1, kY, 1).write(2, kZ, 7).write(2, kY, 7);
  std::vector<RacePair> pairs = predict(trace);
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_EQ(pairs[0].address, kY);
  EXPECT_EQ(pairs[0].first.thread, 1u);
  EXPECT_EQ(pairs[0].first.occurrence, 2u);
  EXPECT_EQ(pairs[0].second.thread, 2u);
  EXPECT_EQ(pairs[0].second.occurrence, 2u);
  EXPECT_TRUE(pairs[0].firstIsEarlier);
}

TEST(RacePrediction, StartAndJoinOrder) {
  TraceBuilder trace;
  trace.write(0, kX, 1).start(0, 1).write(1, kX, 2).finish(1).join(0, 1).read(0, kX, 3);
  EXPECT_EQ(sitesOf(trace), SitePairs{});
  trace.start(0, 2).write(0, kX, 4).write(2, kX, 5);
  EXPECT_EQ(sitesOf(trace), (SitePairs{{4, 5}}));
}

TEST(RacePrediction, AJoinThatStillWaitsOrdersNothing) {
  TraceBuilder trace;
  trace.start(0, 1).join(0, 1).add(0, EventKind::ThreadJoin, 0x7000'0040, 0, 0, EBUSY);
  trace.write(1, kX, 2).finish(1).join(0, 1).read(0, kX, 3);
  EXPECT_EQ(sitesOf(trace), SitePairs{});
}

TEST(RacePrediction, ACommonLockProtects) {
  TraceBuilder trace = twoThreads();
  trace.lock(1, kLock).write(1, kX, 1).unlock(1, kLock);
  trace.lock(2, kOther).lock(2, kLock).write(2, kX, 2).unlock(2, kLock).unlock(2, kOther);
  EXPECT_EQ(sitesOf(trace), SitePairs{});
  trace.lock(1, kOther).read(1, kX, 3).unlock(1, kOther);
  EXPECT_EQ(sitesOf(trace), SitePairs{}) << "the other lock was held too";
}

TEST(RacePrediction, DifferentLocksProtectNothing) {
  TraceBuilder trace = twoThreads();
  trace.lock(1, kLock).write(1, kX, 1).unlock(1, kLock);
  trace.lock(2, kOther).write(2, kX, 2).unlock(2, kOther);
  EXPECT_EQ(sitesOf(trace), (SitePairs{{1, 2}}));
}

TEST(RacePrediction, ALockThatIsNotGotProtectsNothing) {
  TraceBuilder trace = twoThreads();
  trace.lock(1, kLock);
  trace.add(2, EventKind::MutexTryLock, kLock).add(2, EventKind::MutexTryLock, kLock, 0, 0, EBUSY);
  trace.write(2, kX, 2).write(1, kX, 1).unlock(1, kLock);
  EXPECT_EQ(sitesOf(trace), (SitePairs{{1, 2}}));
}

TEST(RacePrediction, ATryThatSucceedsIsOneLock) {
  TraceBuilder trace = twoThreads();
  trace.add(1, EventKind::MutexTryLock, kLock).add(1, EventKind::MutexTryLock, kLock);
  trace.write(1, kX, 1).unlock(1, kLock).write(1, kY, 3);
  trace.lock(2, kLock).write(2, kX, 2).write(2, kY, 4).unlock(2, kLock);
  EXPECT_EQ(sitesOf(trace), (SitePairs{{3, 4}}));
}

TEST(RacePrediction, WritesUnderAReadLockRace) {
  TraceBuilder trace = twoThreads();
  trace.add(1, EventKind::ReadLock, kLock).write(1, kX, 1).add(1, EventKind::RwUnlock, kLock);
  trace.add(2, EventKind::ReadLock, kLock).read(2, kX, 2).add(2, EventKind::RwUnlock, kLock);
  trace.add(2, EventKind::WriteLock, kLock).read(2, kX, 3).add(2, EventKind::RwUnlock, kLock);
  EXPECT_EQ(sitesOf(trace), (SitePairs{{1, 2}}));
}

TEST(RacePrediction, ANotificationOrdersWhomItWakes) {
  TraceBuilder trace = twoThreads();
  trace.lock(1, kLock).add(1, EventKind::CondWait, kOther).unlock(1, kLock);
  trace.write(2, kX, 2).add(2, EventKind::CondSignal, kOther).write(2, kY, 4);
  trace.add(1, EventKind::CondWake, kOther).lock(1, kLock).read(1, kX, 1).read(1, kY, 3);
  EXPECT_EQ(sitesOf(trace), (SitePairs{{3, 4}}));
}

TEST(RacePrediction, ANotificationFromBeforeTheWaitOrdersNothing) {
  TraceBuilder trace = twoThreads();
  trace.write(2, kX, 2).add(2, EventKind::CondSignal, kOther);
  trace.add(1, EventKind::CondWait, kOther);
  trace.add(1, EventKind::CondWake, kOther, 0, 0, ETIMEDOUT).read(1, kX, 1);
  EXPECT_EQ(sitesOf(trace), (SitePairs{{1, 2}}));
}

TEST(RacePrediction, ABarrierOrdersRoundsAndNotWhatIsInThem) {
  TraceBuilder trace = twoThreads();
  auto barrier = [&](uint32_t thread, uint32_t result) {
    trace.add(thread, EventKind::BarrierWait, kOther, 0, 0, result);
  };
  trace.write(1, kX, 1);
  barrier(1, 0), barrier(1, EBUSY);
  trace.write(2, kY, 2);
  barrier(2, 0);
  trace.write(2, kX, 3); // after all of round one
  barrier(1, 0);
  trace.read(1, kY, 4).write(1, kZ, 5);
  trace.write(2, kZ, 6);
  EXPECT_EQ(sitesOf(trace), (SitePairs{{5, 6}}));
}

TEST(RacePrediction, SemaphoresAndOnceOrder) {
  TraceBuilder trace = twoThreads();
  trace.write(1, kX, 1).add(1, EventKind::SemPost, kLock);
  trace.add(2, EventKind::SemWait, kLock).read(2, kX, 2);
  trace.add(1, EventKind::OnceBegin, kOther).write(1, kY, 3).add(1, EventKind::OnceEnd, kOther);
  trace.add(2, EventKind::OnceBegin, kOther).read(2, kY, 4);
  EXPECT_EQ(sitesOf(trace), SitePairs{});
}

TEST(RacePrediction, AtomicsDoNotRaceWithEachOtherButWithOthers) {
  TraceBuilder trace = twoThreads();
  trace.add(1, EventKind::AtomicWrite, kX, 1, 4).add(2, EventKind::AtomicUpdate, kX, 2, 4);
  EXPECT_EQ(sitesOf(trace), SitePairs{});
  trace.read(2, kX, 3);
  EXPECT_EQ(sitesOf(trace), (SitePairs{{1, 3}}));
}

TEST(RacePrediction, AnAtomicHandOverComesLast) {
  TraceBuilder trace = twoThreads();
  trace.write(1, kX, 1).add(1, EventKind::AtomicWrite, kY, 2, 4);
  trace.add(2, EventKind::AtomicRead, kY, 3, 4).read(2, kX, 4);
  std::vector<RacePair> pairs = predict(trace);
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_FALSE(pairs[0].unordered);
}

TEST(RacePrediction, BytesMustOverlap) {
  TraceBuilder trace = twoThreads();
  trace.write(1, kX, 1, 2).write(2, kX + 2, 2, 2);     // neighbours
  trace.write(1, kZ + 6, 3, 8).read(2, kZ + 13, 4, 1); // over the border of a cell
  EXPECT_EQ(sitesOf(trace), (SitePairs{{3, 4}}));
}

/// An event of memory that begins or ends.
TraceBuilder& lifetime(TraceBuilder& trace, uint32_t thread, EventKind kind, uint64_t address,
                       uint32_t site, uint64_t bytes) {
  Event event{};
  event.kind = static_cast<uint8_t>(kind);
  setLifetimeBytes(event, bytes);
  return trace.add(thread, kind, address, site, event.size, event.result);
}

constexpr uint64_t kBlock = 0x7000'0000'0000, kBlockBytes = 8ull << 30;

TEST(RacePrediction, BytesOfLifetimesAreRoundedToTheSafeSide) {
  Event begins{};
  begins.kind = static_cast<uint8_t>(EventKind::Allocate);
  Event ends{};
  ends.kind = static_cast<uint8_t>(EventKind::Free);
  for (uint64_t bytes : {0ull, 1ull, 65535ull, 65536ull, 65537ull, (8ull << 30) + 1}) {
    setLifetimeBytes(begins, bytes);
    setLifetimeBytes(ends, bytes);
    EXPECT_GE(lifetimeBytes(begins), bytes);
    EXPECT_LE(lifetimeBytes(ends), bytes);
    EXPECT_LE(lifetimeBytes(begins) - lifetimeBytes(ends), bytes / 30000 + 1);
    EXPECT_EQ(outcomeOf(ends), 0);
  }
}

TEST(RacePrediction, TheEndOfALargeBlockMeetsAccessesBeforeAndAfterIt) {
  TraceBuilder trace = twoThreads();
  trace.write(1, kBlock + (5ull << 30), 3);
  lifetime(trace, 2, EventKind::Free, kBlock, 4, kBlockBytes);
  trace.write(1, kBlock + (6ull << 30), 5);
  EXPECT_EQ(sitesOf(trace), (SitePairs{{3, 4}, {4, 5}}));
}

TEST(RacePrediction, WhatBeginsAnewInALargeBlockIsOtherMemory) {
  TraceBuilder trace = twoThreads();
  lifetime(trace, 2, EventKind::Free, kBlock, 4, kBlockBytes);
  lifetime(trace, 1, EventKind::Allocate, kBlock + 0x100000, 5, 0x100000);
  trace.write(1, kBlock + 0x100000, 6).write(1, kBlock + 0x1ffff8, 7);
  trace.write(1, kBlock + 0xffff8, 8).write(1, kBlock + 0x200000, 9);
  EXPECT_EQ(sitesOf(trace), (SitePairs{{4, 8}, {4, 9}}));
}

TEST(RacePrediction, FreeWritesAndAllocationBeginsAnew) {
  TraceBuilder trace = twoThreads();
  trace.add(1, EventKind::Allocate, kX, 1, 64).read(2, kX + 32, 2);
  trace.add(1, EventKind::Free, kX, 3, 64);
  EXPECT_EQ(sitesOf(trace), (SitePairs{{2, 3}}));
  trace.add(2, EventKind::Allocate, kX, 4, 64).write(2, kX + 32, 5);
  EXPECT_EQ(sitesOf(trace), (SitePairs{{2, 3}})) << "another block at the same address";
}

TEST(RacePrediction, OneSiteMayRaceWithItself) {
  TraceBuilder trace = twoThreads();
  trace.write(1, kX, 1).write(2, kX, 1);
  EXPECT_EQ(sitesOf(trace), (SitePairs{{1, 1}}));
}

TEST(RacePrediction, AnEarlierAccessIsNotForgottenWhenTheThreadGoesOn) {
  TraceBuilder trace = twoThreads();
  trace.write(1, kX, 1).lock(1, kLock).unlock(1, kLock);
  for (int i = 0; i < 1000; ++i)
    trace.read(1, kY, 5).lock(1, kLock).write(1, kX, 2).unlock(1, kLock);
  trace.lock(2, kLock).write(2, kX, 3).unlock(2, kLock);
  EXPECT_EQ(sitesOf(trace), (SitePairs{{1, 3}}));
}

TEST(RacePrediction, TenMillionEventsInSeconds) {
  RacePrediction prediction;
  TraceBuilder head = twoThreads();
  prediction.add(head.events());
  constexpr int rounds = 1000, events = 10'000;
  for (int r = 0; r < rounds; ++r) {
    TraceBuilder part;
    uint32_t thread = 1 + r % 2;
    part.lock(thread, kLock);
    for (int i = 0; i < events; ++i)
      part.write(thread, 0x10'0000 + static_cast<uint64_t>(i * 37 % 50'000) * 8, 10 + i % 20, 8);
    part.unlock(thread, kLock);
    prediction.add(part.events());
  }
  EXPECT_TRUE(prediction.pairs().empty());
}

} // namespace
} // namespace heddle
