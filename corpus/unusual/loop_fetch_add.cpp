// Statistics that are only ever added to: relaxed counters, a maximum, and a shared bit set.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

struct Statistics {
  std::atomic<long> requests{0};
  std::atomic<long> bytes{0};
  std::atomic<int> active{0};
  std::atomic<unsigned> kinds{0};

  void serve(int i) {
    active.fetch_add(1, std::memory_order_relaxed);
    requests.fetch_add(1, std::memory_order_relaxed);
    bytes.fetch_add(i & 7, std::memory_order_relaxed);
    kinds.fetch_or(1u << (i & 15), std::memory_order_relaxed);
    int before = active.fetch_sub(1, std::memory_order_relaxed);
    assert(before >= 1);
  }
};

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) / 16 * 16 + 16 : 48000;
  Statistics statistics;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int round = 0; round < rounds; ++round)
        statistics.serve(round);
    });
  for (std::thread& thread : threads)
    thread.join();
  assert(statistics.requests == 4L * rounds);
  assert(statistics.bytes == 4L * rounds / 8 * 28);
  assert(statistics.active == 0);
  assert(statistics.kinds == 0xffff);
}
