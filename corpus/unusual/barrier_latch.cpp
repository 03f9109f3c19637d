// std::barrier with a completion step that swaps buffers, a std::latch that lets all begin
// together, and one participant that drops out half-way.
#include <barrier>
#include <cassert>
#include <cstdlib>
#include <latch>
#include <numeric>
#include <thread>
#include <utility>
#include <vector>

int main(int argc, char** argv) {
  int phases = argc > 1 ? std::atoi(argv[1]) : 1500;
  constexpr int kThreads = 3, kWidth = 9;
  std::vector<long> current(kWidth, 1), next(kWidth);
  int completed = 0;
  auto swap = [&]() noexcept {
    std::swap(current, next);
    ++completed;
  };
  std::barrier barrier(kThreads, swap);
  std::latch ready(kThreads), go(1);
  std::vector<std::thread> threads;
  for (int self = 0; self < kThreads; ++self)
    threads.emplace_back([&, self] {
      ready.count_down();
      go.wait();
      bool leaves = self == kThreads - 1;
      for (int phase = 0; phase < phases; ++phase) {
        // After half of the phases the first thread does the work of the one that has left.
        bool alone = phase > phases / 2;
        for (int i = 0; i < kWidth; ++i) {
          int owner = i % kThreads;
          if (owner == self || (alone && self == 0 && owner == kThreads - 1))
            next[i] = (current[i] + current[(i + 1) % kWidth]) % 1000003;
        }
        if (leaves && phase == phases / 2) {
          barrier.arrive_and_drop();
          return;
        }
        barrier.arrive_and_wait();
      }
    });
  ready.wait();
  go.count_down();
  for (std::thread& thread : threads)
    thread.join();
  assert(completed == phases);
  for (long value : current)
    assert(value == current[0]);
}
