#include "static/location_set.h"

#include <gtest/gtest.h>

namespace heddle::analysis {
namespace {

TEST(LocationSet, KeepsTheOrderOfInsertion) {
  LocationSet set;
  EXPECT_TRUE(set.insert(7));
  EXPECT_TRUE(set.insert(3));
  EXPECT_FALSE(set.insert(7));
  EXPECT_EQ(set.values(), (std::vector<uint32_t>{7, 3}));
}

TEST(LocationSet, FindsElementsOfLargeSets) {
  LocationSet set;
  for (uint32_t value = 0; value < 5000; ++value)
    EXPECT_TRUE(set.insert(value * 977));
  for (uint32_t value = 0; value < 5000; ++value) {
    EXPECT_TRUE(set.contains(value * 977));
    EXPECT_FALSE(set.insert(value * 977));
    EXPECT_FALSE(set.contains(value * 977 + 1));
  }
  EXPECT_EQ(set.size(), 5000u);
}

} // namespace
} // namespace heddle::analysis
