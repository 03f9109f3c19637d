// Heaps of threads: what a thread gets depends on the thread alone.
#include "runtime/base/persistent.h"
#include "runtime/core/scheduler_state.h"
#include "runtime/memory/heap_threads.h"
#include "stand_ins.h"

#include <gtest/gtest.h>

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace heddle;
using namespace heddle::rt;

namespace {

/// Threads of the program: the main one and two that it makes. Tests run in children, because a
/// heap lasts as long as its process.
struct Threads {
  Fiber main;
  Fiber first;
  Fiber second;

  Threads() {
    main.view.path = ThreadPath::Main;
    begin(first, 1);
    begin(second, 2);
    run(main);
  }
  void begin(Fiber& fiber, uint32_t ordinal) {
    fiber.parent = &main;
    fiber.ordinal = ordinal;
    fiber.view.path = childPath(ThreadPath::Main, ordinal);
    fiber.view.index = static_cast<ThreadIndex>(ordinal);
    giveHeap(&fiber);
  }
  void run(Fiber& fiber) {
    scheduler.current = &fiber;
    useHeapOf(&fiber);
  }
};

/// What a fresh child of this process answers.
uint64_t inChild(uint64_t (*answer)(Threads& threads)) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  pid_t child = fork();
  if (child == 0) {
    static Threads threads;
    uint64_t value = answer(threads);
    _exit(write(ends[1], &value, sizeof value) == sizeof value ? 0 : 1);
  }
  uint64_t value = 0;
  EXPECT_EQ(read(ends[0], &value, sizeof value), static_cast<ssize_t>(sizeof value));
  waitpid(child, nullptr, 0);
  close(ends[0]);
  close(ends[1]);
  return value;
}

bool isUnordered() { return persistent().result.flags & kResultUnordered; }

/// Allocates, frees and resizes, from step to step.
class Work {
public:
  void step() {
    constexpr size_t sizes[] = {24, 40, 5000, 50000, 300000, 40};
    void*& block = blocks_[step_ % kBlocks];
    free(block);
    block = malloc(sizes[step_ % 6]);
    if (step_ % 3 == 0)
      block = realloc(block, 2 * sizes[step_ % 6]);
    digest_ = mix(digest_, number(block));
    ++step_;
  }
  uint64_t digest() const { return digest_; }

private:
  static constexpr size_t kBlocks = 7;
  void* blocks_[kBlocks] = {};
  size_t step_ = 0;
  uint64_t digest_ = 0;
};

constexpr int kSteps = 60;

uint64_t firstThreadsAddresses(Threads& threads, Fiber* (*other)(Threads& threads, int step)) {
  static Work work;
  static Work others;
  for (int i = 0; i < kSteps; ++i) {
    if (Fiber* fiber = other(threads, i)) {
      threads.run(*fiber);
      others.step();
    }
    threads.run(threads.first);
    work.step();
  }
  return isUnordered() ? 0 : work.digest();
}

TEST(ThreadHeap, AddressesDoNotDependOnOtherThreads) {
  uint64_t alone = inChild([](Threads& threads) {
    return firstThreadsAddresses(threads, [](Threads&, int) -> Fiber* { return nullptr; });
  });
  EXPECT_NE(alone, 0u);
  EXPECT_EQ(alone, inChild([](Threads& threads) {
              return firstThreadsAddresses(
                  threads, [](Threads& all, int step) { return step % 3 ? &all.second : nullptr; });
            }));
  EXPECT_EQ(alone, inChild([](Threads& threads) {
              return firstThreadsAddresses(
                  threads, [](Threads& all, int step) { return step % 2 ? &all.main : nullptr; });
            }));
}

TEST(ThreadHeap, WhatAnotherThreadFreedIsNotGivenToItsOwner) {
  EXPECT_EQ(inChild([](Threads& threads) -> uint64_t {
              uint64_t met = 0;
              for (int i = 0; i < 2000; ++i) { // more than wait to be used again
                threads.run(threads.first);
                void* block = malloc(40);
                threads.run(threads.second);
                free(block);
                threads.run(threads.first);
                void* next = malloc(40);
                met += next == block;
                free(next);
              }
              return met + (isUnordered() ? 1 : 0);
            }),
            0u);
}

TEST(ThreadHeap, AThreadThatNeedsMoreUsesThePoolAndSaysSo) {
  EXPECT_EQ(inChild([](Threads& threads) -> uint64_t {
              threads.run(threads.first);
              for (int i = 0; i < 40000; ++i) {
                auto* block = static_cast<char*>(calloc(1, 1000));
                for (int byte = 0; byte < 1000; ++byte)
                  if (block[byte] != 0)
                    return 1;
                memset(block, 1, 1000);
                if (i == 1000 && isUnordered())
                  return 2;
              }
              return isUnordered() ? 0 : 3;
            }),
            0u);
}

TEST(ThreadHeap, BlocksAreKnownWhoeverFreesThem) {
  EXPECT_EQ(inChild([](Threads& threads) -> uint64_t {
              threads.run(threads.first);
              void* small = malloc(40);
              void* large = malloc(50000);
              threads.run(threads.second);
              free(small);
              free(large);
              HeapBlock a = heapBlockOf(small);
              HeapBlock b = heapBlockOf(large);
              bool isRight = a.state == BlockState::Freed && b.state == BlockState::Freed &&
                             a.allocationThread == threads.first.index() &&
                             b.freeThread == threads.second.index();
              return isRight ? 0 : 1;
            }),
            0u);
}

} // namespace
