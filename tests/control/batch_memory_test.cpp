#include "control/batch_memory.h"

#include "control/ring_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sys/stat.h>

#include <cstring>

namespace heddle {
namespace {

TEST(BatchMemory, RegionsLieApartAndInside) {
  auto memory = BatchMemory::create();
  ASSERT_TRUE(memory) << memory.error().message;
  const BatchHeader& header = memory->header();
  EXPECT_EQ(header.magic, kBatchMagic);
  EXPECT_EQ(header.version, kBatchVersion);
  std::vector<Region> regions = {
      header.listedSites,    header.schedule,     header.decisions, header.results,
      header.behaviourTable, header.behaviourLog, header.sites,     header.ring};
  std::sort(regions.begin(), regions.end(),
            [](const Region& a, const Region& b) { return a.offset < b.offset; });
  uint64_t end = sizeof(BatchHeader);
  for (const Region& region : regions) {
    EXPECT_GE(region.offset, end);
    EXPECT_EQ(region.offset % 4096, 0u);
    EXPECT_GT(region.bytes, 0u);
    end = region.offset + region.bytes;
  }
  EXPECT_LE(end, header.totalBytes);
  EXPECT_GE(header.results.bytes, kMaxBatchRuns * sizeof(RunResult));
  EXPECT_EQ(memory->ringData().size(), size_t{2} << 20);
}

TEST(BatchMemory, WritesPlanAndLists) {
  auto memory = BatchMemory::create();
  ASSERT_TRUE(memory);
  PlanRequest request;
  request.plan.runCount = 3;
  request.listedSites = {5, 9};
  request.selectedSites = {9};
  request.localSites = {3, 4};
  request.schedule.resize(4);
  memory->header().runsDone = 7;
  ASSERT_TRUE(memory->writePlan(request));
  const BatchHeader& header = memory->header();
  EXPECT_EQ(header.plan.listedSites, 2u);
  EXPECT_EQ(header.plan.decisions, 4u);
  EXPECT_EQ(header.runsDone, 0u);
  auto* listed = reinterpret_cast<const uint64_t*>(reinterpret_cast<const char*>(&header) +
                                                   header.listedSites.offset);
  EXPECT_EQ(listed[1], 9u);
  EXPECT_EQ(header.plan.localSites, 2u);
  EXPECT_EQ(listed[3], 3u); // behind those that are listed and selected
  EXPECT_EQ(listed[4], 4u);
}

TEST(BatchMemory, RefusesWhatDoesNotFit) {
  auto memory = BatchMemory::create();
  ASSERT_TRUE(memory);
  PlanRequest request;
  request.plan.runCount = kMaxBatchRuns + 1;
  EXPECT_FALSE(memory->writePlan(request));
}

TEST(BatchMemory, IsSparse) {
  auto memory = BatchMemory::create();
  ASSERT_TRUE(memory);
  struct stat facts;
  ASSERT_EQ(fstat(memory->descriptor(), &facts), 0);
  EXPECT_GT(facts.st_size, off_t{2} << 30);
  EXPECT_LT(facts.st_blocks * 512, off_t{16} << 20);
}

TEST(RingReader, WrapsAroundTheEnd) {
  auto memory = BatchMemory::create();
  ASSERT_TRUE(memory);
  RingHeader& ring = memory->ring();
  size_t size = memory->ringData().size();
  char* data = const_cast<char*>(reinterpret_cast<const char*>(memory->ringData().data()));
  ring.head = size - 2 * sizeof(Event);
  ring.tail = ring.head;
  for (uint64_t i = 0; i < 5; ++i) {
    Event event{};
    event.address = i;
    memcpy(data + ring.head % size, &event, sizeof(event));
    ring.head = ring.head + sizeof(Event);
  }
  std::vector<uint64_t> seen;
  RingReader reader(*memory);
  EXPECT_EQ(reader.drain([&](std::span<const Event> events) {
    for (const Event& event : events)
      seen.push_back(event.address);
  }),
            5u);
  EXPECT_EQ(seen, (std::vector<uint64_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(ring.head, ring.tail);
}

TEST(RingReader, HandsOverAPartAndForgetsTheRest) {
  auto memory = BatchMemory::create();
  ASSERT_TRUE(memory);
  RingHeader& ring = memory->ring();
  ring.head = 10 * sizeof(Event);
  size_t seen = 0;
  RingReader reader(*memory);
  EventSink sink = [&](std::span<const Event> events) { seen += events.size(); };
  EXPECT_EQ(reader.drain(sink, 4), 4u);
  EXPECT_EQ(seen, 4u);
  EXPECT_EQ(ring.tail, 4 * sizeof(Event));
  reader.discard();
  EXPECT_EQ(reader.drain(sink), 0u);
  EXPECT_EQ(ring.head, ring.tail);
}

TEST(RingReader, WakesAWaitingProducer) {
  auto memory = BatchMemory::create();
  ASSERT_TRUE(memory);
  memory->ring().producerWaiting = 1;
  uint32_t before = memory->ring().tailFutex;
  RingReader(*memory).drain([](std::span<const Event>) {});
  EXPECT_EQ(memory->ring().tailFutex, before + 1);
}

TEST(BoundedText, StopsAtTheLimit) {
  char text[4] = {'a', 'b', 'c', 'd'};
  EXPECT_EQ(boundedText(text, 4), "abcd");
  text[1] = 0;
  EXPECT_EQ(boundedText(text, 4), "a");
}

} // namespace
} // namespace heddle
