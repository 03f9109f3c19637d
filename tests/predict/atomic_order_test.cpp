#include "predict/race_prediction.h"
#include "trace_builder.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

using enum MemoryOrder;
using test::TraceBuilder;

constexpr uint64_t kData = 0x1000, kFlag = 0x2000, kOther = 0x3000, kLock = 0x4000;
constexpr uint32_t kWrite = 1, kStore = 2, kLoad = 3, kRead = 4, kMiddle = 5; // sites

TraceBuilder threads(uint32_t count) {
  TraceBuilder trace;
  for (uint32_t thread = 1; thread <= count; ++thread)
    trace.start(0, thread);
  return trace;
}

/// What is said of the write and the read of the data.
RacePair pairOf(const TraceBuilder& trace) {
  RacePrediction prediction;
  prediction.add(trace.events());
  for (const RacePair& pair : prediction.pairs())
    if (raw(pair.first.site) == kWrite && raw(pair.second.site) == kRead)
      return pair;
  ADD_FAILURE() << "the pair is no candidate";
  return {};
}

/// Thread 1 writes the data and stores the flag, thread 2 loads it and reads the data.
RacePair published(MemoryOrder store, MemoryOrder load) {
  TraceBuilder trace = threads(2);
  trace.write(1, kData, kWrite).store(1, kFlag, store, kStore);
  trace.load(2, kFlag, load, kLoad).read(2, kData, kRead);
  return pairOf(trace);
}

/// The only order that is missing.
WeakOrder onlyWeakOrder(const RacePair& pair) {
  EXPECT_EQ(pair.weakOrders.size(), 1u);
  return pair.weakOrders.empty() ? WeakOrder() : pair.weakOrders[0];
}

TEST(AtomicOrder, ReleaseAndAcquireAreProper) {
  for (MemoryOrder store : {Release, SequentiallyConsistent, Unknown})
    for (MemoryOrder load : {Acquire, SequentiallyConsistent, Unknown}) {
      RacePair pair = published(store, load);
      EXPECT_FALSE(pair.unordered);
      EXPECT_TRUE(pair.weakOrders.empty()) << memoryOrderName(store) << memoryOrderName(load);
    }
}

TEST(AtomicOrder, ARelaxedStoreLacksRelease) {
  RacePair pair = published(Relaxed, Acquire);
  EXPECT_FALSE(pair.unordered);
  WeakOrder weak = onlyWeakOrder(pair);
  EXPECT_EQ(raw(weak.store.site), kStore);
  EXPECT_EQ(weak.store.order, Relaxed);
  EXPECT_EQ(raw(weak.load.site), kLoad);
  EXPECT_EQ(weak.load.order, Acquire);
  EXPECT_TRUE(weak.storeLacks);
  EXPECT_FALSE(weak.loadLacks);
}

TEST(AtomicOrder, ARelaxedLoadLacksAcquire) {
  WeakOrder weak = onlyWeakOrder(published(SequentiallyConsistent, Relaxed));
  EXPECT_FALSE(weak.storeLacks);
  EXPECT_TRUE(weak.loadLacks);
}

TEST(AtomicOrder, BothCanLackIt) {
  WeakOrder weak = onlyWeakOrder(published(Relaxed, Relaxed));
  EXPECT_TRUE(weak.storeLacks);
  EXPECT_TRUE(weak.loadLacks);
}

TEST(AtomicOrder, WithoutTheAtomicNothingIsSaid) {
  TraceBuilder trace = threads(2);
  trace.write(1, kData, kWrite).load(2, kFlag, Relaxed, kLoad).read(2, kData, kRead);
  RacePair pair = pairOf(trace);
  EXPECT_TRUE(pair.unordered);
  EXPECT_TRUE(pair.weakOrders.empty());
}

TEST(AtomicOrder, AReleaseFenceBeforeTheStore) {
  TraceBuilder trace = threads(2);
  trace.write(1, kData, kWrite).fence(1, Release).store(1, kFlag, Relaxed, kStore);
  trace.load(2, kFlag, Acquire, kLoad).read(2, kData, kRead);
  EXPECT_TRUE(pairOf(trace).weakOrders.empty());
}

TEST(AtomicOrder, AReleaseFenceBeforeTheDataIsNone) {
  TraceBuilder trace = threads(2);
  trace.fence(1, Release).write(1, kData, kWrite).store(1, kFlag, Relaxed, kStore);
  trace.load(2, kFlag, Acquire, kLoad).read(2, kData, kRead);
  WeakOrder weak = onlyWeakOrder(pairOf(trace));
  EXPECT_TRUE(weak.storeLacks);
  EXPECT_FALSE(weak.loadLacks);
}

TEST(AtomicOrder, AnAcquireFenceAfterTheLoad) {
  TraceBuilder trace = threads(2);
  trace.write(1, kData, kWrite).store(1, kFlag, Release, kStore);
  trace.load(2, kFlag, Relaxed, kLoad).fence(2, Acquire).read(2, kData, kRead);
  EXPECT_TRUE(pairOf(trace).weakOrders.empty());
}

TEST(AtomicOrder, AnAcquireFenceBeforeTheLoadIsNone) {
  TraceBuilder trace = threads(2);
  trace.write(1, kData, kWrite).store(1, kFlag, Release, kStore);
  trace.fence(2, Acquire).load(2, kFlag, Relaxed, kLoad).read(2, kData, kRead);
  EXPECT_TRUE(onlyWeakOrder(pairOf(trace)).loadLacks);
}

TEST(AtomicOrder, FencesOnBothSides) {
  for (MemoryOrder fence : {AcquireRelease, SequentiallyConsistent}) {
    TraceBuilder trace = threads(2);
    trace.write(1, kData, kWrite).fence(1, fence).store(1, kFlag, Relaxed, kStore);
    trace.load(2, kFlag, Relaxed, kLoad).fence(2, fence).read(2, kData, kRead);
    EXPECT_TRUE(pairOf(trace).weakOrders.empty());
  }
}

TEST(AtomicOrder, OfAFencedLoadOnlyTheStoreLacks) {
  TraceBuilder trace = threads(2);
  trace.write(1, kData, kWrite).store(1, kFlag, Relaxed, kStore);
  trace.load(2, kFlag, Relaxed, kLoad).fence(2, Acquire).read(2, kData, kRead);
  WeakOrder weak = onlyWeakOrder(pairOf(trace));
  EXPECT_TRUE(weak.storeLacks);
  EXPECT_FALSE(weak.loadLacks);
}

TEST(AtomicOrder, ARelaxedUpdateGoesOnWithTheReleaseSequence) {
  TraceBuilder trace = threads(3);
  trace.write(1, kData, kWrite).store(1, kFlag, Release, kStore);
  trace.update(3, kFlag, Relaxed, kMiddle);
  trace.load(2, kFlag, Acquire, kLoad).read(2, kData, kRead);
  EXPECT_TRUE(pairOf(trace).weakOrders.empty());
}

TEST(AtomicOrder, AStoreEndsTheReleaseSequence) {
  // Thread 2 reads what 3 wrote: nothing that 1 could have stored otherwise would order them.
  TraceBuilder trace = threads(3);
  trace.write(1, kData, kWrite).store(1, kFlag, Release, kStore);
  trace.store(3, kFlag, Release, kMiddle);
  trace.load(2, kFlag, Acquire, kLoad).read(2, kData, kRead);
  EXPECT_TRUE(pairOf(trace).weakOrders.empty());
}

TEST(AtomicOrder, AStoreBehindARelaxedLoadPassesNothingOn) {
  TraceBuilder trace = threads(3);
  trace.write(1, kData, kWrite).store(1, kFlag, Release, kStore);
  trace.load(3, kFlag, Relaxed, kMiddle).store(3, kOther, Release, kMiddle);
  trace.load(2, kOther, Acquire, kLoad).read(2, kData, kRead);
  WeakOrder weak = onlyWeakOrder(pairOf(trace));
  EXPECT_EQ(raw(weak.store.site), kStore);
  EXPECT_EQ(raw(weak.load.site), kMiddle) << "the order was lost there";
  EXPECT_FALSE(weak.storeLacks);
  EXPECT_TRUE(weak.loadLacks);
}

TEST(AtomicOrder, AChainOfReleasesAndAcquires) {
  TraceBuilder trace = threads(3);
  trace.write(1, kData, kWrite).store(1, kFlag, Release, kStore);
  trace.load(3, kFlag, Acquire, kMiddle).store(3, kOther, Release, kMiddle);
  trace.load(2, kOther, Acquire, kLoad).read(2, kData, kRead);
  EXPECT_TRUE(pairOf(trace).weakOrders.empty());
}

TEST(AtomicOrder, UpdatesOfACounter) {
  for (auto [order, lacks] : {std::pair(Relaxed, true), std::pair(AcquireRelease, false)}) {
    TraceBuilder trace = threads(2);
    trace.write(1, kData, kWrite).update(1, kFlag, order, kStore);
    trace.update(2, kFlag, order, kStore).read(2, kData, kRead);
    RacePair pair = pairOf(trace);
    EXPECT_EQ(!pair.weakOrders.empty(), lacks);
    if (lacks) {
      EXPECT_TRUE(onlyWeakOrder(pair).storeLacks && onlyWeakOrder(pair).loadLacks);
    }
  }
}

TEST(AtomicOrder, AReleaseUpdateDoesNotAcquire) {
  TraceBuilder trace = threads(2);
  trace.write(1, kData, kWrite).update(1, kFlag, Release, kStore);
  trace.update(2, kFlag, Release, kStore).read(2, kData, kRead);
  WeakOrder weak = onlyWeakOrder(pairOf(trace));
  EXPECT_FALSE(weak.storeLacks);
  EXPECT_TRUE(weak.loadLacks);
}

TEST(AtomicOrder, AFailedExchangeTellsNobody) {
  TraceBuilder trace = threads(2);
  trace.write(1, kData, kWrite).update(1, kFlag, SequentiallyConsistent, kStore, /*fails=*/true);
  trace.load(2, kFlag, Acquire, kLoad).read(2, kData, kRead);
  EXPECT_TRUE(pairOf(trace).unordered);
}

TEST(AtomicOrder, AFailedExchangeLearns) {
  TraceBuilder trace = threads(2);
  trace.write(1, kData, kWrite).store(1, kFlag, Release, kStore);
  trace.update(2, kFlag, Acquire, kLoad, /*fails=*/true).read(2, kData, kRead);
  EXPECT_TRUE(pairOf(trace).weakOrders.empty());
}

TEST(AtomicOrder, ALockThatIsHandedOverIsProper) {
  TraceBuilder trace = threads(2);
  trace.write(1, kData, kWrite).store(1, kFlag, Relaxed, kStore);
  trace.lock(1, kLock).unlock(1, kLock).lock(2, kLock).unlock(2, kLock);
  trace.load(2, kFlag, Relaxed, kLoad).read(2, kData, kRead);
  EXPECT_TRUE(pairOf(trace).weakOrders.empty());
}

TEST(AtomicOrder, WhatIsSharedByAllExamplesIsNamed) {
  // In the first example a counter orders the accesses too, in the second one only the flag does.
  TraceBuilder trace = threads(2);
  trace.write(1, kData, kWrite)
      .store(1, kFlag, Relaxed, kStore)
      .update(1, kOther, Relaxed, kMiddle);
  trace.update(2, kOther, Relaxed, kMiddle).load(2, kFlag, Acquire, kLoad).read(2, kData, kRead);
  EXPECT_EQ(pairOf(trace).weakOrders.size(), 2u);
  trace.lock(2, kLock).unlock(2, kLock).lock(1, kLock).unlock(1, kLock);
  trace.write(1, kData, kWrite).store(1, kFlag, Relaxed, kStore);
  trace.load(2, kFlag, Acquire, kLoad).read(2, kData, kRead);
  EXPECT_EQ(raw(onlyWeakOrder(pairOf(trace)).store.site), kStore);
}

TEST(AtomicOrder, AnObjectAtTheAddressOfAnotherOneIsNew) {
  TraceBuilder trace = threads(2);
  trace.write(1, kData, kWrite).store(1, kFlag, Release, kStore);
  trace.add(2, EventKind::Allocate, kFlag - 16, 0, 64);
  trace.load(2, kFlag, Acquire, kLoad).read(2, kData, kRead);
  EXPECT_TRUE(pairOf(trace).unordered);
}

TEST(AtomicOrder, SpinningReadsAreOneRead) {
  TraceBuilder trace = threads(2);
  trace.write(1, kData, kWrite).store(1, kFlag, Relaxed, kStore);
  for (int i = 0; i < 100; ++i)
    trace.load(2, kFlag, Acquire, kLoad);
  trace.read(2, kData, kRead);
  EXPECT_TRUE(onlyWeakOrder(pairOf(trace)).storeLacks);
}

} // namespace
} // namespace heddle
