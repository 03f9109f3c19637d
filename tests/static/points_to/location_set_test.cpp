#include "static/points_to/location_set.h"

#include <gtest/gtest.h>

#include <set>

namespace heddle::analysis {
namespace {

TEST(LocationSet, ListsItsElementsInOrder) {
  LocationSet set;
  EXPECT_TRUE(set.insert(700));
  EXPECT_TRUE(set.insert(3));
  EXPECT_FALSE(set.insert(700));
  EXPECT_EQ(set.values(), (std::vector<uint32_t>{3, 700}));
  EXPECT_EQ(set.first(), 3u);
}

LocationSet setOf(std::vector<uint32_t> values) {
  LocationSet set;
  for (uint32_t value : values)
    set.insert(value);
  return set;
}

TEST(LocationSet, TellsWhatAUnionAdds) {
  LocationSet set = setOf({1, 64, 900, 5000});
  LocationSet fresh = setOf({7});
  set.unite(setOf({1, 2, 300, 900, 901, 9000}), fresh);
  EXPECT_EQ(set.values(), (std::vector<uint32_t>{1, 2, 64, 300, 900, 901, 5000, 9000}));
  EXPECT_EQ(set.size(), 8u);
  EXPECT_EQ(fresh.values(), (std::vector<uint32_t>{2, 7, 300, 901, 9000}));
}

TEST(LocationSet, UnitesLikeASetOfNumbers) {
  // Small sets with large ones and large with small: both ways of going through the words.
  uint32_t state = 1;
  auto random = [&] { return state = state * 1664525 + 1013904223, state >> 8; };
  for (int iteration = 0; iteration < 200; ++iteration) {
    std::set<uint32_t> expected;
    LocationSet set, other, fresh;
    for (uint32_t i = random() % 400; i > 0; --i) {
      uint32_t value = random() % 20000;
      EXPECT_EQ(set.insert(value), expected.insert(value).second);
    }
    std::set<uint32_t> added;
    for (uint32_t i = random() % 40; i > 0; --i)
      if (uint32_t value = random() % 20000; other.insert(value) && !expected.contains(value))
        added.insert(value);
    set.unite(other, fresh);
    EXPECT_EQ(fresh.values(), std::vector<uint32_t>(added.begin(), added.end()));
    expected.insert(added.begin(), added.end());
    EXPECT_EQ(set.values(), std::vector<uint32_t>(expected.begin(), expected.end()));
    EXPECT_EQ(set.intersects(other), !other.empty());
  }
}

TEST(LocationFilter, AsksOnceForEachNumber) {
  LocationFilter filter;
  int asked = 0;
  auto isEven = [&](uint32_t value) { return ++asked, value % 2 == 0; };
  EXPECT_EQ(filter.apply(setOf({1, 2, 70}), isEven).values(), (std::vector<uint32_t>{2, 70}));
  EXPECT_EQ(filter.apply(setOf({1, 2, 3, 70, 9000}), isEven).values(),
            (std::vector<uint32_t>{2, 70, 9000}));
  EXPECT_EQ(asked, 5);
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
