// The allocator alone: its engine is stand_ins.cpp. malloc of the whole test is the one under test.
#include "runtime/memory/heap.h"
#include "runtime/memory/heap_blocks.h"
#include "runtime/memory/heap_pages.h"
#include "stand_ins.h"

#include <gtest/gtest.h>

#include <errno.h>
#include <malloc.h>
#include <map>
#include <random>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace heddle;
using namespace heddle::rt;

namespace {

/// A block that the shadow model knows, filled with a byte of its own.
struct Shadow {
  char* block;
  size_t size;
  unsigned char fill;
};

bool holds(const Shadow& shadow, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i)
    if (static_cast<unsigned char>(shadow.block[i]) != shadow.fill)
      return false;
  return true;
}

class ShadowModel {
public:
  explicit ShadowModel(uint64_t seed) : random_(seed) {}

  void step() {
    switch (random_() % 8) {
    case 0:
    case 1:
      return add(static_cast<char*>(malloc(size())), lastSize_);
    case 2:
      return addZeroed();
    case 3:
      return addAligned();
    case 4:
      return resize();
    default:
      return remove();
    }
  }
  void removeAll() {
    while (!blocks_.empty())
      remove();
  }
  uint64_t digest() const { return digest_; }

private:
  size_t size() {
    static constexpr size_t limits[] = {16, 64, 300, 2000, 40000, 300000};
    return lastSize_ = random_() % limits[random_() % 6];
  }
  void add(char* block, size_t size) {
    ASSERT_NE(block, nullptr);
    ASSERT_EQ(number(block) % 16, 0u);
    ASSERT_EQ(malloc_usable_size(block), size);
    auto after = byAddress_.lower_bound(number(block));
    if (after != byAddress_.end())
      ASSERT_LE(number(block) + size, after->first);
    if (after != byAddress_.begin()) {
      auto before = std::prev(after);
      ASSERT_LE(before->first + before->second, number(block));
    }
    byAddress_[number(block)] = size ? size : 1;
    auto fill = static_cast<unsigned char>(random_());
    memset(block, fill, size);
    blocks_.push_back({block, size, fill});
    digest_ = mix(digest_, number(block));
  }
  void addZeroed() {
    size_t bytes = size();
    auto* block = static_cast<char*>(calloc(1, bytes));
    ASSERT_TRUE(holds({block, bytes, 0}, bytes));
    add(block, bytes);
  }
  void addAligned() {
    size_t alignment = size_t{16} << random_() % 10;
    auto* block = static_cast<char*>(aligned_alloc(alignment, size()));
    ASSERT_EQ(number(block) % alignment, 0u);
    add(block, lastSize_);
  }
  Shadow takeAny() {
    size_t index = random_() % blocks_.size();
    Shadow shadow = blocks_[index];
    blocks_[index] = blocks_.back();
    blocks_.pop_back();
    byAddress_.erase(number(shadow.block));
    EXPECT_TRUE(holds(shadow, shadow.size));
    return shadow;
  }
  void resize() {
    if (blocks_.empty())
      return;
    Shadow old = takeAny();
    size_t bytes = size() + 1;
    auto* block = static_cast<char*>(realloc(old.block, bytes));
    ASSERT_TRUE(holds({block, bytes, old.fill}, std::min(old.size, bytes)));
    add(block, bytes);
  }
  void remove() {
    if (!blocks_.empty())
      free(takeAny().block);
  }

  std::mt19937_64 random_;
  size_t lastSize_ = 0;
  uint64_t digest_ = 0;
  std::vector<Shadow> blocks_;
  std::map<uintptr_t, size_t> byAddress_;
};

TEST(Heap, BlocksKeepTheirContentsAndNeverOverlap) {
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    ShadowModel model(seed);
    for (int i = 0; i < 40000 && !HasFatalFailure(); ++i)
      model.step();
    model.removeAll();
  }
}

/// What a fresh child of this process answers.
template <typename Answer> uint64_t inChild(Answer answer) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  pid_t child = fork();
  if (child == 0) {
    uint64_t value = answer();
    _exit(write(ends[1], &value, sizeof value) == sizeof value ? 0 : 1);
  }
  uint64_t value = 0;
  EXPECT_EQ(read(ends[0], &value, sizeof value), static_cast<ssize_t>(sizeof value));
  waitpid(child, nullptr, 0);
  close(ends[0]);
  close(ends[1]);
  return value;
}

uint64_t addressesOf(uint64_t seed) {
  ShadowModel model(seed);
  for (int i = 0; i < 20000; ++i)
    model.step();
  return model.digest();
}

TEST(Heap, AddressesAreAFunctionOfTheCalls) {
  uint64_t first = inChild([] { return addressesOf(7); });
  EXPECT_EQ(first, inChild([] { return addressesOf(7); }));
  EXPECT_NE(first, inChild([] { return addressesOf(8); }));
}

TEST(Heap, TheRuntimesOwnAllocationsMoveNoAddress) {
  uint64_t plain = inChild([] { return addressesOf(7); });
  uint64_t disturbed = inChild([] {
    InternalAllocation guard;
    std::vector<void*> blocks;
    for (size_t i = 0; i < 100; ++i)
      blocks.push_back(i % 2 ? malloc(i * 100) : calloc(i, 64));
    for (void* block : blocks) {
      EXPECT_TRUE(inInternalHeap(block));
      free(realloc(block, 500));
    }
    return uint64_t{0};
  });
  EXPECT_EQ(disturbed, 0u);
  EXPECT_EQ(plain, inChild([] {
              {
                InternalAllocation guard;
                for (size_t i = 1; i < 50; ++i) {
                  void* block = aligned_alloc(size_t{1} << i % 12, i * 50);
                  EXPECT_EQ(number(block) % (size_t{1} << i % 12), 0u);
                  if (i % 3)
                    free(block);
                }
              }
              return addressesOf(7);
            }));
}

TEST(Heap, SizesThatNobodyHasAreRefused) {
  volatile size_t huge = ~size_t{0};
  errno = 0;
  EXPECT_EQ(malloc(huge), nullptr);
  EXPECT_EQ(errno, ENOMEM);
  EXPECT_EQ(malloc(huge >> 1), nullptr);
  EXPECT_EQ(calloc(huge / 2, 3), nullptr);
  EXPECT_EQ(reallocarray(nullptr, huge / 2, 3), nullptr);
  void* block = nullptr;
  EXPECT_EQ(posix_memalign(&block, 24, 8), EINVAL);
  EXPECT_EQ(posix_memalign(&block, 64, huge >> 1), ENOMEM);
  void* kept = malloc(100);
  EXPECT_EQ(realloc(kept, huge >> 1), nullptr);
  EXPECT_EQ(malloc_usable_size(kept), 100u);
  free(kept);
}

TEST(Heap, SuccessLeavesErrnoAlone) {
  errno = 77;
  free(realloc(calloc(3, 5), 100000));
  free(aligned_alloc(65536, 10));
  EXPECT_EQ(errno, 77);
}

TEST(Heap, LargeAlignments) {
  for (size_t alignment = 4096; alignment <= size_t{64} << 20; alignment *= 4) {
    void* block = aligned_alloc(alignment, 5000);
    EXPECT_EQ(number(block) % alignment, 0u);
    free(block);
  }
  EXPECT_EQ(number(valloc(1)) % 4096, 0u);
  EXPECT_EQ(malloc_usable_size(pvalloc(1)), 4096u);
}

TEST(Heap, FreedBlocksWaitAndArePoisoned) {
  constexpr size_t size = 48;
  auto* freed = opaque(static_cast<unsigned char*>(malloc(size)));
  free(freed);
  for (size_t i = 0; i < size; ++i)
    EXPECT_EQ(opaque(freed)[i], kPoison);
  std::vector<void*> others;
  others.reserve(100);
  for (int i = 0; i < 100; ++i) {
    others.push_back(malloc(size));
    EXPECT_NE(others.back(), opaque(freed));
  }
  for (void* block : others)
    free(block);
}

TEST(Heap, MemoryOfFreedBlocksIsUsedAgain) {
  uint64_t before = pagesEnd();
  for (int round = 0; round < 100; ++round) {
    std::vector<void*> blocks;
    for (size_t i = 0; i < 2000; ++i)
      blocks.push_back(malloc(1 + i % 700));
    blocks.push_back(malloc(3 << 20));
    blocks.push_back(malloc(100000));
    for (void* block : blocks)
      free(block);
  }
  EXPECT_LT(pagesEnd() - before, 8192u);
}

TEST(Heap, EmptySpansServeOtherSizes) {
  constexpr size_t total = size_t{120} << 20;
  auto fillAndFree = [](size_t size) {
    std::vector<void*> blocks(total / size);
    for (void*& block : blocks)
      block = malloc(size);
    for (void* block : blocks)
      free(block);
  };
  fillAndFree(48);
  uint64_t before = pagesEnd();
  fillAndFree(96);
  fillAndFree(32);
  EXPECT_LT(pagesEnd(), before + before / 2);
}

TEST(Heap, CallocIsZeroAfterLargeBlocksWereWritten) {
  constexpr size_t size = 70 << 20;
  for (int round = 0; round < 3; ++round) {
    auto* block = static_cast<unsigned char*>(calloc(1, size));
    for (size_t i = 0; i < size; i += 4096)
      ASSERT_EQ(block[i], 0);
    memset(block, 0xff, size);
    free(block);
  }
}

TEST(Heap, LargeBlocksGrowAndShrinkInPlaceWhereTheyCan) {
  void* block = malloc(50000);
  void* shrunk = realloc(block, 40000);
  EXPECT_EQ(shrunk, block);
  void* grown = realloc(shrunk, 45000);
  EXPECT_EQ(grown, block);
  EXPECT_EQ(malloc_usable_size(grown), 45000u);
  free(grown);
}

TEST(Heap, HugeBlocksCostNothingUntilTheyAreTouched) {
  auto* block = static_cast<char*>(malloc(size_t{4} << 30));
  ASSERT_NE(block, nullptr);
  block[size_t{3} << 30] = 1;
  EXPECT_EQ(heapBlockOf(block + (size_t{3} << 30)).base, number(block));
  free(block);
}

/// Pages of the block that the kernel has given.
size_t touchedPages(const char* block, size_t bytes) {
  std::vector<unsigned char> there(bytes >> kPageShift);
  EXPECT_EQ(mincore(const_cast<char*>(block), bytes, there.data()), 0);
  size_t count = 0;
  for (unsigned char page : there)
    count += page & 1;
  return count;
}

constexpr size_t kHugeBytes = size_t{1} << 30;

TEST(HugeBlocks, WhatIsNotTouchedIsNotTouchedByTheHeap) {
  auto* block = static_cast<char*>(malloc(kHugeBytes));
  ASSERT_NE(block, nullptr);
  block[kHugeBytes / 2] = 1;
  EXPECT_LE(touchedPages(block, kHugeBytes), 1u);
  HeapBlock inside = heapBlockOf(block + kHugeBytes / 2);
  EXPECT_EQ(inside.base, reinterpret_cast<uintptr_t>(block));
  EXPECT_EQ(inside.state, BlockState::Allocated);
  free(block);
  EXPECT_EQ(heapBlockOf(block + kHugeBytes / 2).state, BlockState::Freed);
}

TEST(HugeBlocks, AreZeroWhenTheyAreAskedForZeroed) {
  auto* dirty = static_cast<char*>(malloc(kHugeBytes));
  for (size_t i = 0; i < kHugeBytes; i += kHugeBytes / 64)
    dirty[i] = 7;
  free(dirty);
  auto* zeroed = static_cast<char*>(calloc(kHugeBytes, 1));
  EXPECT_LE(touchedPages(zeroed, kHugeBytes), 2u);
  for (size_t i = 0; i < kHugeBytes; i += kHugeBytes / 64)
    ASSERT_EQ(zeroed[i], 0);
  free(zeroed);
}

TEST(HugeBlocks, KeepTheirContentsWhenTheyMove) {
  auto* block = static_cast<char*>(calloc(kHugeBytes, 1));
  auto* behind = static_cast<char*>(malloc(kHugeBytes)); // so that it cannot grow in place
  block[0] = 1;
  block[kHugeBytes / 3] = 2;
  block[kHugeBytes - 1] = 3;
  auto* moved = static_cast<char*>(realloc(block, kHugeBytes + 12345));
  ASSERT_NE(moved, block);
  EXPECT_EQ(moved[0] + moved[kHugeBytes / 3] + moved[kHugeBytes - 1], 6);
  EXPECT_EQ(moved[kHugeBytes / 2], 0);
  EXPECT_LE(touchedPages(moved, kHugeBytes), 8u);
  free(moved);
  free(behind);
}

TEST(HugeBlocks, GiveWayToSmallerOnes) {
  auto* huge = static_cast<char*>(malloc(kHugeBytes));
  free(huge);
  auto* large = static_cast<char*>(malloc(1 << 20));
  HeapBlock known = heapBlockOf(large + 5000);
  EXPECT_EQ(known.base, reinterpret_cast<uintptr_t>(large));
  EXPECT_EQ(known.size, size_t{1} << 20);
  EXPECT_EQ(known.state, BlockState::Allocated);
  free(large);
}

} // namespace
