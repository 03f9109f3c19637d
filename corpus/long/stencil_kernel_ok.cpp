// A relaxation on a grid: four threads, each with a band of rows, barriers around every sweep. How
// much has changed is summed up over all threads, under a lock.
#include <barrier>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

#ifndef SWEEPS
#define SWEEPS 40
#endif

constexpr int kThreads = 4;
constexpr int kRows = 128; // of a thread
constexpr int kSize = kThreads * kRows;

class Grid {
public:
  Grid() : cells_(2, std::vector<int>(kSize * kSize)) {
    for (int i = 0; i < kSize * kSize; ++i)
      cells_[0][i] = i * 31 % 1000;
  }

  void sweep(int band, int from) {
    long changed = 0;
    for (int row = band * kRows; row < (band + 1) * kRows; ++row)
      for (int column = 0; column < kSize; ++column)
        changed += relax(row, column, from);
    std::lock_guard<std::mutex> guard(mutex_);
    changed_ += changed;       // NORACE
    relaxed_ += kSize * kRows; // NORACE
  }

  void endSweep() {
    assert(relaxed_ == kSize * kSize);
    changed_ = 0;
    relaxed_ = 0;
  }

private:
  int relax(int row, int column, int from) {
    const std::vector<int>& old = cells_[from];
    int up = row == 0 ? 0 : old[(row - 1) * kSize + column];
    int down = row == kSize - 1 ? 0 : old[(row + 1) * kSize + column];
    int left = column == 0 ? 0 : old[row * kSize + column - 1];
    int right = column == kSize - 1 ? 0 : old[row * kSize + column + 1];
    int value = (up + down + left + right) / 4;
    cells_[1 - from][row * kSize + column] = value;
    int before = old[row * kSize + column];
    return value > before ? value - before : before - value;
  }

  std::vector<std::vector<int>> cells_;
  std::mutex mutex_;
  long changed_ = 0;
  int relaxed_ = 0;
};

static void relaxBand(Grid& grid, std::barrier<>& barrier, int band) {
  for (int sweep = 0; sweep < SWEEPS; ++sweep) {
    grid.sweep(band, sweep % 2);
    barrier.arrive_and_wait();
    if (band == 0)
      grid.endSweep();
    barrier.arrive_and_wait();
  }
}

int main() {
  Grid grid;
  std::barrier<> barrier(kThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back(relaxBand, std::ref(grid), std::ref(barrier), i);
  for (std::thread& thread : threads)
    thread.join();
}
