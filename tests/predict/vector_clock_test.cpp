#include "predict/vector_clock.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

namespace heddle {
namespace {

/// What a clock means, without any sharing.
using Reference = std::map<uint32_t, uint32_t>;

void joinInto(Reference& clock, const Reference& other) {
  for (const auto& [thread, time] : other)
    clock[thread] = std::max(clock[thread], time);
}

constexpr uint32_t kThreads = 300; // in the clock itself and in several chunks

void expectSame(const VectorClock& clock, const Reference& reference) {
  for (uint32_t thread = 0; thread < kThreads + 10; ++thread) {
    auto known = reference.find(thread);
    ASSERT_EQ(clock.at(thread), known == reference.end() ? 0 : known->second) << thread;
  }
}

TEST(VectorClock, MeansTheSameWithAndWithoutSharing) {
  std::mt19937 random(7);
  std::vector<VectorClock> clocks(12);
  std::vector<Reference> references(clocks.size());
  for (int step = 0; step < 4000; ++step) {
    size_t to = random() % clocks.size();
    size_t from = random() % clocks.size();
    uint32_t thread = random() % kThreads;
    switch (random() % 4) {
    case 0:
      clocks[to] = clocks[from];
      references[to] = references[from];
      break;
    case 1:
      clocks[to].join(clocks[from]);
      joinInto(references[to], references[from]);
      break;
    default:
      clocks[to].tick(thread);
      ++references[to][thread];
    }
    expectSame(clocks[to], references[to]);
    expectSame(clocks[from], references[from]);
  }
}

TEST(VectorClock, EqualClocksNeedNotHaveTheSameRoom) {
  VectorClock small;
  VectorClock large;
  small.set(3, 5);
  large.set(3, 5);
  large.set(200, 0);
  EXPECT_EQ(small, large);
  large.set(200, 1);
  EXPECT_FALSE(small == large);
}

} // namespace
} // namespace heddle
