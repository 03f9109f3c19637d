// Threads with stop tokens, promises, futures, packaged tasks, async.
#include "check.h"

#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <stop_token>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

static void stopTokens() {
  int stopped = 0;
  {
    std::jthread thread([&](std::stop_token token) {
      while (!token.stop_requested())
        std::this_thread::yield();
      ++stopped;
    });
  }
  CHECK_EQ(stopped, 1);

  std::mutex mutex;
  std::condition_variable_any condition;
  bool never = false;
  {
    std::jthread thread([&](std::stop_token token) {
      std::unique_lock lock(mutex);
      CHECK(!condition.wait(lock, token, [&] { return never; }));
      ++stopped;
    });
    std::this_thread::yield();
  }
  CHECK_EQ(stopped, 2);

  std::stop_source source;
  int called = 0;
  std::stop_callback callback(source.get_token(), [&] { ++called; });
  std::thread requester([&] { CHECK(source.request_stop()); });
  requester.join();
  CHECK_EQ(called, 1);
  CHECK(!source.request_stop());
}

static void promises() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  CHECK(future.wait_for(2ms) == std::future_status::timeout);
  std::thread setter([&] { promise.set_value(7); });
  CHECK_EQ(future.get(), 7);
  setter.join();

  std::promise<void> start;
  std::shared_future<void> started = start.get_future().share();
  std::atomic<int> ran(0);
  std::vector<std::thread> threads;
  threads.reserve(3);
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&, started] {
      started.wait();
      ++ran;
    });
  CHECK_EQ(ran, 0);
  start.set_value();
  for (std::thread& thread : threads)
    thread.join();
  CHECK_EQ(ran, 3);

  std::future<int> broken;
  {
    broken = std::promise<int>().get_future();
  }
  try {
    broken.get();
    CHECK(false);
  } catch (const std::future_error& error) {
    CHECK(error.code() == std::future_errc::broken_promise);
  }
}

static void atThreadExit() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread([&] {
    promise.set_value_at_thread_exit(3);
    CHECK(future.wait_for(0s) == std::future_status::timeout);
  }).detach();
  CHECK_EQ(future.get(), 3);

  std::mutex mutex;
  std::condition_variable condition;
  bool done = false;
  std::thread([&] {
    std::unique_lock lock(mutex);
    done = true;
    std::notify_all_at_thread_exit(condition, std::move(lock));
  }).detach();
  std::unique_lock lock(mutex);
  condition.wait(lock, [&] { return done; });
}

static long sumRange(long from, long to) {
  if (to - from <= 8) {
    std::vector<long> values(static_cast<size_t>(to - from));
    std::iota(values.begin(), values.end(), from);
    return std::accumulate(values.begin(), values.end(), 0l);
  }
  long middle = (from + to) / 2;
  auto left = std::async(std::launch::async, sumRange, from, middle);
  long right = sumRange(middle, to);
  return left.get() + right;
}

static void tasks() {
  std::packaged_task<int(int)> task([](int x) { return x * 2; });
  std::future<int> result = task.get_future();
  std::thread(std::move(task), 21).join();
  CHECK_EQ(result.get(), 42);
  CHECK_EQ(sumRange(0, 64), 64 * 63 / 2);
  auto failing = std::async(std::launch::async, []() -> int { throw std::runtime_error("no"); });
  try {
    failing.get();
    CHECK(false);
  } catch (const std::runtime_error& error) {
    CHECK(error.what()[0] == 'n');
  }
  auto lazy = std::async(std::launch::deferred, [] { return 5; });
  CHECK(lazy.wait_for(0s) == std::future_status::deferred);
  CHECK_EQ(lazy.get(), 5);
}

static void sleeping() {
  auto start = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(2ms);
  CHECK(std::chrono::steady_clock::now() - start >= 2ms);
  CHECK(std::thread::hardware_concurrency() > 0);
  std::thread::id other;
  std::thread thread([&] { other = std::this_thread::get_id(); });
  std::thread::id known = thread.get_id();
  thread.join();
  CHECK(other == known && other != std::this_thread::get_id());
}

int main() {
  stopTokens();
  promises();
  atThreadExit();
  tasks();
  sleeping();
  return 0;
}
