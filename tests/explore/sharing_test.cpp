#include "explore/sharing.h"

#include <gtest/gtest.h>

namespace heddle::explore {
namespace {

constexpr uint64_t kPlace = 0x1000;

TEST(Sharing, IsAboutBytesThatTwoThreadsUseAndOneWrites) {
  Sharing sharing;
  sharing.beginRun(3);
  EXPECT_FALSE(sharing.access(1, kPlace, 4, true));
  EXPECT_FALSE(sharing.access(2, kPlace + 4, 4, true)); // beside it
  EXPECT_FALSE(sharing.foundMore());
  EXPECT_TRUE(sharing.access(2, kPlace + 3, 2, false)); // one byte of it
  EXPECT_TRUE(sharing.foundMore());
}

TEST(Sharing, IsNotAboutReads) {
  Sharing sharing;
  sharing.beginRun(3);
  EXPECT_FALSE(sharing.access(1, kPlace, 8, false));
  EXPECT_FALSE(sharing.access(2, kPlace, 8, false));
  EXPECT_TRUE(sharing.access(0, kPlace, 1, true));
}

TEST(Sharing, IsNotAboutWhatCreationAndJoinPutInOrder) {
  Sharing sharing;
  sharing.beginRun(2);
  EXPECT_FALSE(sharing.access(0, kPlace, 8, true));
  sharing.created(0, 1);
  EXPECT_FALSE(sharing.access(1, kPlace, 8, true));
  sharing.joined(0, 1);
  EXPECT_FALSE(sharing.access(0, kPlace, 8, true));
}

TEST(Sharing, IsAboutWhatComesAfterTheCreation) {
  Sharing sharing;
  sharing.beginRun(2);
  sharing.created(0, 1);
  EXPECT_FALSE(sharing.access(0, kPlace, 8, true));
  EXPECT_TRUE(sharing.access(1, kPlace, 8, false));
}

TEST(Sharing, RemembersWhatIsSharedInLaterRuns) {
  Sharing sharing;
  sharing.beginRun(2);
  sharing.access(0, kPlace, 8, true);
  sharing.access(1, kPlace, 8, true);
  sharing.beginRun(2);
  EXPECT_FALSE(sharing.foundMore());
  EXPECT_TRUE(sharing.access(0, kPlace, 1, false));
  EXPECT_FALSE(sharing.access(0, kPlace + 8, 1, false));
}

TEST(Sharing, FindsItInManyPlaces) {
  Sharing sharing;
  sharing.beginRun(2);
  for (uint64_t i = 0; i < 20000; ++i)
    EXPECT_FALSE(sharing.access(0, kPlace + 8 * i, 8, true));
  for (uint64_t i = 0; i < 20000; ++i)
    EXPECT_TRUE(sharing.access(1, kPlace + 8 * i, 8, false));
}

} // namespace
} // namespace heddle::explore
