// A sense-reversing barrier that spins, in thousands of phases of a small stencil: each thread owns
// a part of the row and reads its neighbours' values of the phase before.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

class SpinBarrier {
public:
  explicit SpinBarrier(int count) : count_(count), waiting_(count) {}

  void arrive(bool& sense) {
    sense = !sense;
    if (waiting_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      waiting_.store(count_, std::memory_order_relaxed);
      sense_.store(sense, std::memory_order_release);
      return;
    }
    int spins = 0;
    while (sense_.load(std::memory_order_acquire) != sense)
      if (++spins > 64)
        std::this_thread::yield();
  }

private:
  const int count_;
  std::atomic<int> waiting_;
  std::atomic<bool> sense_{false};
};

} // namespace

int main(int argc, char** argv) {
  int phases = argc > 1 ? std::atoi(argv[1]) : 6000;
  constexpr int kThreads = 3, kCells = 12;
  SpinBarrier barrier(kThreads);
  std::vector<unsigned> rows[2] = {std::vector<unsigned>(kCells + 2),
                                   std::vector<unsigned>(kCells + 2)};
  rows[0][kCells / 2] = 1;
  std::vector<std::thread> threads;
  for (int self = 0; self < kThreads; ++self)
    threads.emplace_back([&, self] {
      bool sense = false;
      int begin = 1 + self * kCells / kThreads, end = 1 + (self + 1) * kCells / kThreads;
      for (int phase = 0; phase < phases; ++phase) {
        const std::vector<unsigned>& from = rows[phase % 2];
        std::vector<unsigned>& to = rows[1 - phase % 2];
        for (int i = begin; i < end; ++i)
          to[i] = from[i - 1] ^ from[i + 1];
        barrier.arrive(sense);
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  std::vector<unsigned> row(kCells + 2), next(kCells + 2);
  row[kCells / 2] = 1;
  for (int phase = 0; phase < phases; ++phase) {
    for (int i = 1; i <= kCells; ++i)
      next[i] = row[i - 1] ^ row[i + 1];
    row.swap(next);
  }
  assert(row == rows[phases % 2]);
}
