// Locks of the standard library: timed and shared mutexes, condition variables.
#include "check.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

template <typename Body> static void inThreads(int count, Body body) {
  std::vector<std::thread> threads;
  threads.reserve(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i)
    threads.emplace_back([&body, i] { body(i); });
  for (std::thread& thread : threads)
    thread.join();
}

template <typename Mutex> static void timedMutex() {
  Mutex mutex;
  std::unique_lock<Mutex> lock(mutex);
  inThreads(1, [&](int) {
    CHECK(!mutex.try_lock());
    auto start = Clock::now();
    CHECK(!mutex.try_lock_for(3ms));
    CHECK(Clock::now() - start >= 3ms);
    CHECK(!mutex.try_lock_until(std::chrono::system_clock::now() + 3ms));
    CHECK(!mutex.try_lock_until(Clock::now() - 1s));
  });
  lock.unlock();
  inThreads(1, [&](int) {
    CHECK(mutex.try_lock_for(3ms));
    mutex.unlock();
  });
  int inside = 0, total = 0;
  inThreads(3, [&](int) {
    for (int i = 0; i < 5; ++i) {
      std::unique_lock<Mutex> guard(mutex, 60s);
      CHECK(guard.owns_lock());
      CHECK_EQ(inside++, 0);
      std::this_thread::yield();
      ++total;
      --inside;
    }
  });
  CHECK_EQ(total, 15);
}

template <typename Mutex> static void sharedMutex() {
  Mutex mutex;
  int value = 0;
  inThreads(4, [&](int i) {
    for (int n = 0; n < 4; ++n) {
      if (i == 0) {
        std::unique_lock lock(mutex);
        ++value;
        std::this_thread::yield();
        ++value;
        continue;
      }
      std::shared_lock lock(mutex);
      CHECK_EQ(value % 2, 0);
      std::this_thread::yield();
      CHECK_EQ(value % 2, 0);
    }
  });
  CHECK_EQ(value, 8);
  std::shared_lock reader(mutex);
  inThreads(1, [&](int) {
    CHECK(mutex.try_lock_shared());
    mutex.unlock_shared();
    CHECK(!mutex.try_lock());
  });
}

static void sharedTimeouts() {
  std::shared_timed_mutex mutex;
  mutex.lock();
  inThreads(1, [&](int) {
    CHECK(!mutex.try_lock_shared_for(3ms));
    CHECK(!mutex.try_lock_until(std::chrono::system_clock::now() + 3ms));
  });
  mutex.unlock();
}

static void conditionTimeouts() {
  std::mutex mutex;
  std::condition_variable condition;
  std::unique_lock lock(mutex);
  auto start = Clock::now();
  CHECK(condition.wait_for(lock, 3ms) == std::cv_status::timeout);
  CHECK(Clock::now() - start >= 3ms);
  CHECK(!condition.wait_for(lock, 3ms, [] { return false; }));
  auto deadline = std::chrono::system_clock::now() + 3ms;
  CHECK(condition.wait_until(lock, deadline) == std::cv_status::timeout);
  CHECK(condition.wait_until(lock, Clock::now() - 1s) == std::cv_status::timeout);
}

template <typename Condition, typename Mutex> static void handOver() {
  Mutex mutex;
  Condition condition;
  int turn = 0;
  inThreads(3, [&](int i) {
    for (int round = 0; round < 3; ++round) {
      std::unique_lock<Mutex> lock(mutex);
      condition.wait(lock, [&] { return turn % 3 == i; });
      ++turn;
      condition.notify_all();
    }
  });
  CHECK_EQ(turn, 9);
}

static void scopedLocks() {
  std::mutex left, right;
  int total = 0;
  inThreads(4, [&](int i) {
    for (int n = 0; n < 4; ++n) {
      if (i % 2) {
        std::scoped_lock both(left, right);
        ++total;
      } else {
        std::scoped_lock both(right, left);
        ++total;
      }
    }
  });
  CHECK_EQ(total, 16);
}

static void recursive() {
  std::recursive_mutex mutex;
  std::lock_guard outer(mutex);
  std::lock_guard inner(mutex);
  CHECK(mutex.try_lock());
  mutex.unlock();
  inThreads(1, [&](int) { CHECK(!mutex.try_lock()); });
}

int main() {
  timedMutex<std::timed_mutex>();
  timedMutex<std::recursive_timed_mutex>();
  sharedMutex<std::shared_mutex>();
  sharedMutex<std::shared_timed_mutex>();
  sharedTimeouts();
  conditionTimeouts();
  handOver<std::condition_variable, std::mutex>();
  handOver<std::condition_variable_any, std::timed_mutex>();
  scopedLocks();
  recursive();
  return 0;
}
