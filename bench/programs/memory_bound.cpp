// Memory-bound kernel: threads smooth their own stripes of a grid, again and again, and meet at a
// barrier after each pass. Nearly every access is to memory that no other thread touches.
#include <barrier>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

constexpr int kThreads = 4;
constexpr size_t kWidth = 1024;
constexpr size_t kRows = 1024;

/// What the forced runs of the bench aim at; each thread has an element of its own.
long progress[8];

class Grid {
public:
  Grid() : cells_(kWidth * kRows, 1.0) { cells_[kWidth * 10 + 10] = 1000.0; }
  double& at(size_t row, size_t column) { return cells_[row * kWidth + column]; }
  double at(size_t row, size_t column) const { return cells_[row * kWidth + column]; }

private:
  std::vector<double> cells_;
};

void smooth(const Grid& from, Grid& to, size_t begin, size_t end) {
  for (size_t row = begin; row < end; ++row)
    for (size_t column = 1; column + 1 < kWidth; ++column)
      to.at(row, column) =
          0.2 * (from.at(row, column) + from.at(row - 1, column) + from.at(row + 1, column) +
                 from.at(row, column - 1) + from.at(row, column + 1));
}

} // namespace

int main(int argc, char** argv) {
  int passes = argc > 1 ? std::atoi(argv[1]) : 400;
  Grid grids[2];
  std::barrier meet(kThreads);
  auto work = [&](int id) {
    size_t rows = (kRows - 2) / kThreads;
    size_t begin = 1 + static_cast<size_t>(id) * rows;
    for (int pass = 0; pass < passes; ++pass) {
      smooth(grids[pass % 2], grids[(pass + 1) % 2], begin, begin + rows);
      progress[id] = pass;
      meet.arrive_and_wait();
    }
  };
  std::vector<std::thread> threads;
  for (int id = 0; id < kThreads; ++id)
    threads.emplace_back(work, id);
  for (std::thread& thread : threads)
    thread.join();
  std::printf("%.6f\n", grids[0].at(11, 11));
}
