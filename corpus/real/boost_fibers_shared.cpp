// heddle-corpus: flags=-lboost_fiber,-lboost_context short=20
// Boost.Fiber: fibers that move between threads (algo::shared_work), a buffered channel, its mutex
// and condition variable, and futures between fibers.
#include <boost/fiber/all.hpp>
#include <cassert>
#include <cstdlib>
#include <thread>
#include <vector>

namespace fibers = boost::fibers;

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 1000;
  constexpr int kThreads = 3, kFibers = 8;
  fibers::buffered_channel<int> channel(16);
  fibers::mutex mutex;
  fibers::condition_variable_any changed;
  int left = kFibers;
  long sum = 0;
  fibers::use_scheduling_algorithm<fibers::algo::shared_work>();
  for (int f = 0; f < kFibers; ++f)
    fibers::fiber([&, f] {
      if (f % 2 == 0) {
        for (int i = 0; i < rounds; ++i)
          channel.push(i);
      } else {
        for (int i = 0; i < rounds; ++i) {
          int value = 0;
          assert(channel.pop(value) == fibers::channel_op_status::success);
          std::unique_lock<fibers::mutex> lock(mutex);
          sum += value;
        }
      }
      std::unique_lock<fibers::mutex> lock(mutex);
      if (--left == 0) {
        lock.unlock();
        changed.notify_all();
      }
    }).detach();
  std::vector<std::thread> threads;
  auto wait = [&] {
    std::unique_lock<fibers::mutex> lock(mutex);
    changed.wait(lock, [&] { return left == 0; });
  };
  for (int t = 1; t < kThreads; ++t)
    threads.emplace_back([&] {
      fibers::use_scheduling_algorithm<fibers::algo::shared_work>();
      wait();
    });
  wait();
  for (auto& thread : threads)
    thread.join();
  assert(sum == long(kFibers / 2) * rounds * (rounds - 1) / 2);
}
