#include "predict/lock_sets.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(LockSets, AreKeptOnce) {
  LockSets sets;
  LockSetId one = sets.add(sets.add(LockSetId::Empty, {1, false}), {2, false});
  LockSetId other = sets.add(sets.add(LockSetId::Empty, {2, false}), {1, false});
  EXPECT_EQ(one, other);
  EXPECT_EQ(sets.remove(sets.remove(one, 1), 2), LockSetId::Empty);
  EXPECT_EQ(sets.remove(one, 9), one);
}

TEST(LockSets, RecursiveLocksCount) {
  LockSets sets;
  LockSetId twice = sets.add(sets.add(LockSetId::Empty, {1, false}), {1, false});
  EXPECT_TRUE(sets.holds(sets.remove(twice, 1), 1));
}

TEST(LockSets, ExcludeThroughACommonLock) {
  LockSets sets;
  LockSetId a = sets.add(LockSetId::Empty, {1, false});
  LockSetId b = sets.add(LockSetId::Empty, {2, false});
  LockSetId both = sets.add(a, {2, false});
  EXPECT_TRUE(sets.exclude(a, a));
  EXPECT_TRUE(sets.exclude(a, both));
  EXPECT_FALSE(sets.exclude(a, b));
  EXPECT_FALSE(sets.exclude(a, LockSetId::Empty));
}

TEST(LockSets, ReadersDoNotExcludeReaders) {
  LockSets sets;
  LockSetId reader = sets.add(LockSetId::Empty, {1, true});
  LockSetId writer = sets.add(LockSetId::Empty, {1, false});
  EXPECT_FALSE(sets.exclude(reader, reader));
  EXPECT_TRUE(sets.exclude(reader, writer));
}

} // namespace
} // namespace heddle
