// What the allocator knows about its blocks, and what it reports.
#include "runtime/base/message.h"
#include "runtime/memory/access_check.h"
#include "runtime/memory/heap_blocks.h"
#include "stand_ins.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdlib.h>
#include <string>

using namespace heddle;
using namespace heddle::rt;

namespace {

TEST(HeapCheck, AllowsWhatIsAllocated) {
  auto* small = static_cast<char*>(malloc(40));
  auto* large = static_cast<char*>(malloc(70000));
  int local = 0;
  EXPECT_FALSE(faultOf([&] {
                 checkAccess(small, 8);
                 checkAccess(small + 39, 1);
                 checkAccess(small, 40);
                 checkAccess(large + 69999, 1);
                 checkAccess(&local, 4);
                 checkAccess(nullptr, 8);
               }).failed);
  free(small);
  free(large);
}

TEST(HeapCheck, SeesUseAfterFree) {
  Fiber first, second;
  first.view.index = static_cast<ThreadIndex>(1);
  first.callSite = static_cast<SiteId>(70000000);
  second.view.index = static_cast<ThreadIndex>(2);
  second.callSite = static_cast<SiteId>(101);
  scheduler.current = &first;
  auto* block = opaque(static_cast<char*>(malloc(48)));
  scheduler.current = &second;
  free(block);
  scheduler.current = nullptr;
  CaughtFault caught = faultOf([&] { checkAccess(opaque(block) + 16, 8, true, SiteId{55}); });
  ASSERT_TRUE(caught.failed);
  std::string expected = "heap-use-after-free: write of 8 bytes at 0x";
  EXPECT_EQ(std::string(caught.message).substr(0, expected.size()), expected);
  EXPECT_NE(strstr(caught.message, "16 bytes inside a block of 48 bytes allocated by T1 and freed "
                                   "by T2"),
            nullptr)
      << caught.message;
  EXPECT_EQ(caught.fault.size, 8u);
  EXPECT_EQ(raw(caught.fault.site), 55u);
  EXPECT_EQ(raw(caught.fault.allocationSite), 70000000u);
  EXPECT_EQ(raw(caught.fault.freeSite), 101u);
  EXPECT_EQ(raw(caught.fault.allocationThread), 1u);
  EXPECT_EQ(raw(caught.fault.freeThread), 2u);
}

TEST(HeapCheck, SeesUseAfterFreeOfLargeBlocks) {
  auto* block = opaque(static_cast<char*>(malloc(100000)));
  free(block);
  CaughtFault caught = faultOf([&] { checkAccess(opaque(block) + 90000, 4); });
  ASSERT_TRUE(caught.failed);
  EXPECT_NE(strstr(caught.message, "read of 4 bytes"), nullptr);
  EXPECT_NE(strstr(caught.message, "block of 100000 bytes"), nullptr);
}

TEST(HeapCheck, SeesTheOldBlockOfARealloc) {
  auto* block = opaque(static_cast<char*>(malloc(32)));
  auto* moved = static_cast<char*>(realloc(block, 5000));
  ASSERT_NE(moved, opaque(block));
  EXPECT_TRUE(faultOf([&] { checkAccess(opaque(block), 1); }).failed);
  EXPECT_FALSE(faultOf([&] { checkAccess(moved, 5000); }).failed);
  free(moved);
}

TEST(HeapCheck, SeesOverflowIntoTheSlack) {
  auto* block = static_cast<char*>(malloc(41));
  CaughtFault caught = faultOf([&] { checkAccess(block + 40, 2); });
  ASSERT_TRUE(caught.failed);
  EXPECT_NE(strstr(caught.message, "heap-buffer-overflow: read of 2 bytes"), nullptr);
  EXPECT_NE(strstr(caught.message, "offset 40 of a block of 41 bytes"), nullptr);
  free(block);
}

TEST(HeapCheck, SeesAccessesToNoBlockAtAll) {
  auto* far = reinterpret_cast<char*>(kHeapBase + kHeapBytes - 64);
  CaughtFault caught = faultOf([&] { checkAccess(far, 1); });
  ASSERT_TRUE(caught.failed);
  EXPECT_NE(strstr(caught.message, "invalid heap access: read of 1 bytes"), nullptr);
  EXPECT_NE(strstr(caught.message, "in memory that belongs to no live block"), nullptr);
}

TEST(HeapCheck, KnowsFreedMemoryWhoseRecordIsGone) {
  constexpr size_t most = 8 << 20;
  auto* block = opaque(static_cast<char*>(malloc(most)));
  char* end = block + most - 64;
  block = opaque(static_cast<char*>(realloc(block, most / 2))); // the rest has no record now
  CaughtFault caught = faultOf([&] { checkAccess(end, 1); });
  ASSERT_TRUE(caught.failed);
  EXPECT_NE(strstr(caught.message, "heap-use-after-free: read of 1 bytes"), nullptr);
  EXPECT_NE(strstr(caught.message, "was freed and belongs to no live block"), nullptr);
  free(block);
}

TEST(HeapCheck, SeesWrongFrees) {
  auto* block = opaque(static_cast<char*>(malloc(100)));
  auto* large = opaque(static_cast<char*>(malloc(100000)));
  int local = 0;
  auto messageOf = [](auto action) { return std::string(faultOf(action).message); };
  EXPECT_NE(messageOf([&] { free(opaque(block) + 8); }).find("8 bytes inside a block of 100"),
            std::string::npos);
  EXPECT_NE(messageOf([&] { free(opaque(large) + 4096); }).find("4096 bytes inside a block"),
            std::string::npos);
  EXPECT_NE(messageOf([&] { free(opaque(&local)); }).find("no block of the heap"),
            std::string::npos);
  free(block);
  free(large);
  EXPECT_NE(messageOf([&] { free(opaque(block)); }).find("double free: the block of 100 bytes"),
            std::string::npos);
  EXPECT_NE(messageOf([&] { free(opaque(large)); }).find("double free"), std::string::npos);
  EXPECT_NE(messageOf([&] { free(realloc(opaque(block), 9)); }).find("double free"),
            std::string::npos);
}

TEST(HeapCheck, KnowsEveryByteOfEverySizeClass) {
  for (uint32_t c = 0; c < kClassCount; ++c) {
    auto* block = static_cast<char*>(malloc(classBytes(c)));
    for (size_t offset = 0; offset < classBytes(c); offset += 7) {
      HeapBlock known = heapBlockOf(block + offset);
      ASSERT_EQ(known.base, number(block));
      ASSERT_EQ(known.size, classBytes(c));
    }
    free(block);
  }
}

TEST(HeapRanges, CoverEveryBlockAndItsRecords) {
  void* block = malloc(200000);
  HeapRange ranges[kHeapRanges];
  heapRanges(ranges);
  EXPECT_LE(number(block) + 200000, ranges[0].base + ranges[0].bytes);
  std::sort(ranges, ranges + kHeapRanges,
            [](const HeapRange& a, const HeapRange& b) { return a.base < b.base; });
  for (uint32_t i = 1; i < kHeapRanges; ++i)
    EXPECT_GE(ranges[i].base, ranges[i - 1].base + ranges[i - 1].bytes);
  free(block);
}

TEST(Message, FormatsWhatMessagesNeed) {
  EXPECT_STREQ(formatMessage("%s|%d|%u|%x|%c|%lu|%lx|%ld|%%", "text", -5, 7u, 255u, 'c',
                             123456789012ul, 0xabcdef0123ul, -9l),
               "text|-5|7|ff|c|123456789012|abcdef0123|-9|%");
  EXPECT_STREQ(formatMessage("%p", reinterpret_cast<void*>(0x1234)), "0x1234");
  std::string tooLong(10000, 'x');
  EXPECT_EQ(strlen(formatMessage("%s", tooLong.c_str())), kMessageBytes - 1u);
  EXPECT_STREQ(formatMessage("%s!", formatMessage("inner")), "inner!");
}

} // namespace
