#include "control/memory_limit.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace heddle {
namespace {

TEST(MemoryLimit, IsWhatWasSaidOrHalfOfTheMachine) {
  Options options;
  EXPECT_LE(memoryBudget(options, kMaxMemory), kMaxMemory);
  EXPECT_GT(memoryBudget(options, kMaxMemory), 0u);
  options.memory = 3;
  EXPECT_EQ(memoryBudget(options, kMaxMemory), uint64_t{3} << 20);
}

TEST(MemoryLimit, WhatIsGivenBackCountsNoLonger) {
  constexpr size_t kBytes = size_t{64} << 20;
  uint64_t before = memoryInUse();
  setMemoryLimit(before + kBytes);
  EXPECT_FALSE(memoryIsShort());
  void* volatile block = malloc(kBytes); // which the compiler must not leave out
  EXPECT_GE(memoryInUse(), before + kBytes);
  EXPECT_TRUE(memoryIsShort());
  free(block);
  EXPECT_FALSE(memoryIsShort());
  setMemoryLimit(kMaxMemory);
}

} // namespace
} // namespace heddle
