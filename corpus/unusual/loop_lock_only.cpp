// Threads that do nothing but lock and unlock, tens of thousands of times: a measurement of the
// lock itself. The counters of the loops live in registers, and nothing else changes.
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

struct Bench {
  std::mutex mutex;
  std::recursive_mutex nested;
  int finished = 0;

  void plain(int rounds) {
    for (int i = 0; i < rounds; ++i) {
      mutex.lock();
      mutex.unlock();
    }
  }

  void recursive(int rounds) {
    for (int i = 0; i < rounds; ++i) {
      std::lock_guard<std::recursive_mutex> outer(nested);
      std::lock_guard<std::recursive_mutex> inner(nested);
    }
  }

  void finish() {
    std::lock_guard<std::mutex> guard(mutex);
    ++finished;
  }
};

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 50000;
  Bench bench;
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i)
    threads.emplace_back([&] {
      bench.plain(rounds);
      bench.finish();
    });
  threads.emplace_back([&] {
    bench.recursive(rounds);
    bench.finish();
  });
  for (std::thread& thread : threads)
    thread.join();
  assert(bench.finished == 3);
}
