#include "control/unseen_functions.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(UnseenFunctions, LeavesOutWhatTheImplementationLinksIn) {
  for (const char* name :
       {"_start", "_init", "frame_dummy", "__libc_csu_init", "_Unwind_Resume", "atexit",
        "_ZNSt6vectorIiSaIiEE9push_backERKi", "_ZNKSt6vectorIiSaIiEE4sizeEv", "_ZStlsIcE",
        "_ZN9__gnu_cxx13new_allocatorIiED2Ev", "_ZN11__sanitizer6ReportEv",
        "_ZN6heddle8Strategy6endRunEm", "heddle.module_ctor", "_ZN7testing8UnitTest3RunEv",
        "_ZNK7testing10TestResult6PassedEv", "DeleteThreadLocalValue",
        "_ZZN7testing12RegisterTestIEEvvEN11FactoryImplD2Ev"})
    EXPECT_TRUE(isOfImplementation(name)) << name;
  for (const char* name :
       {"main", "plain", "_Z5plainv", "_ZN7Account7depositEl", "_ZNK7Account7balanceEv",
        "_ZN5StackIiE4pushEi", "start", "_ZZN7Account7depositElENK3$_0clEv"})
    EXPECT_FALSE(isOfImplementation(name)) << name;
}

TEST(UnseenFunctions, MayBeThereWhereNothingIsKnown) {
  EXPECT_TRUE(hasUnseenCode(HEDDLE_FAKE_PROGRAM)); // not compiled by heddle
  EXPECT_TRUE(hasUnseenCode("/dev/null"));
  EXPECT_TRUE(hasUnseenCode("/no/such/file"));
}

TEST(UnseenFunctions, AreNotGuessedWhereNothingWasSeen) {
  EXPECT_TRUE(unseenFunctions(HEDDLE_FAKE_PROGRAM).empty());
  EXPECT_TRUE(unseenFunctions("/dev/null").empty());
  EXPECT_TRUE(unseenFunctions("/no/such/file").empty());
}

} // namespace
} // namespace heddle
