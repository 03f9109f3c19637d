// What the standard library builds on futexes: atomic waits, semaphores, latches, barriers.
#include "check.h"

#include <atomic>
#include <barrier>
#include <chrono>
#include <latch>
#include <semaphore>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

template <typename Body> static void inThreads(int count, Body body) {
  std::vector<std::thread> threads;
  threads.reserve(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i)
    threads.emplace_back([&body, i] { body(i); });
  for (std::thread& thread : threads)
    thread.join();
}

template <typename Value> static void atomicWait() {
  std::atomic<Value> turn(0);
  int payload = 0;
  inThreads(3, [&](int i) {
    for (int round = 0; round < 2; ++round) {
      int number = round * 3 + i;
      auto mine = static_cast<Value>(number);
      for (Value seen = turn.load(); seen != mine; seen = turn.load())
        turn.wait(seen);
      CHECK_EQ(payload++, mine);
      turn.store(static_cast<Value>(mine + 1));
      turn.notify_all();
    }
  });
  CHECK_EQ(payload, 6);
}

static void flags() {
  std::atomic_flag ready;
  int payload = 0;
  std::thread waiter([&] {
    ready.wait(false);
    CHECK_EQ(payload, 5);
  });
  payload = 5;
  ready.test_and_set();
  ready.notify_one();
  waiter.join();
}

static void semaphores() {
  std::counting_semaphore<2> permits(2);
  std::atomic<int> inside(0), total(0);
  inThreads(4, [&](int) {
    for (int i = 0; i < 3; ++i) {
      permits.acquire();
      CHECK(++inside <= 2);
      std::this_thread::yield();
      --inside;
      ++total;
      permits.release();
    }
  });
  CHECK_EQ(total, 12);
  CHECK(permits.try_acquire());
  CHECK(permits.try_acquire());
  CHECK(!permits.try_acquire());
  auto start = std::chrono::steady_clock::now();
  CHECK(!permits.try_acquire_for(3ms));
  CHECK(std::chrono::steady_clock::now() - start >= 3ms);
  permits.release(2);
  CHECK(permits.try_acquire_for(60s));

  std::binary_semaphore ping(1), pong(0);
  int ball = 0;
  std::thread player([&] {
    for (int i = 0; i < 5; ++i) {
      pong.acquire();
      CHECK_EQ(ball++ % 2, 1);
      ping.release();
    }
  });
  for (int i = 0; i < 5; ++i) {
    ping.acquire();
    CHECK_EQ(ball++ % 2, 0);
    pong.release();
  }
  player.join();
}

static void latches() {
  std::latch done(3);
  std::atomic<int> arrived(0);
  inThreads(4, [&](int i) {
    if (i == 3) {
      done.wait();
      CHECK_EQ(arrived, 3);
      CHECK(done.try_wait());
      return;
    }
    ++arrived;
    if (i == 0)
      done.arrive_and_wait();
    else
      done.count_down();
  });
}

static void barriers() {
  std::atomic<int> arrived(0);
  int phases = 0;
  auto completion = [&]() noexcept {
    ++phases;
    CHECK_EQ(arrived, 3 * phases);
  };
  std::barrier meeting(3, completion);
  inThreads(3, [&](int) {
    for (int round = 1; round <= 4; ++round) {
      ++arrived;
      meeting.arrive_and_wait();
      CHECK(phases >= round);
    }
  });
  CHECK_EQ(phases, 4);
  std::barrier<> dropping(2);
  inThreads(2, [&](int i) {
    if (i == 0) {
      dropping.arrive_and_drop();
      return;
    }
    dropping.arrive_and_wait();
    dropping.arrive_and_wait();
  });
}

int main() {
  atomicWait<int>();
  atomicWait<long>();
  atomicWait<short>();
  flags();
  semaphores();
  latches();
  barriers();
  return 0;
}
