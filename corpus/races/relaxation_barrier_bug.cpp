// Successive over-relaxation of two heated plates, two workers for each plate, with a barrier made
// of a mutex, a counter and a condition variable between the red and the black half of a sweep. The
// barrier after the last sweep was left out because the threads are joined next, but before that
// the first worker of a plate adds up the heat of all rows, also of those that the other still
// relaxes. All other accesses to the cells are ordered by the barrier.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

class Barrier {
public:
  explicit Barrier(int parties) : parties_(parties) {}

  void await() {
    std::unique_lock<std::mutex> lock(mutex_);
    int generation = generation_;
    if (++arrived_ == parties_) {
      arrived_ = 0;
      ++generation_;
      released_.notify_all();
      return;
    }
    released_.wait(lock, [&] { return generation_ != generation; });
  }

private:
  const int parties_;
  std::mutex mutex_;
  std::condition_variable released_;
  int arrived_ = 0;
  int generation_ = 0;
};

constexpr int kSize = 6;
constexpr int kWorkers = 2;
constexpr int kSweeps = 2;
constexpr int kRowsEach = (kSize - 2) / kWorkers;
constexpr double kOmega = 1.25;

struct Plate {
  explicit Plate(double edge) {
    for (int i = 0; i < kSize; ++i)
      cells[i][0] = cells[0][i] = edge;
  }

  double cells[kSize][kSize] = {};
  double heat = 0;
  Barrier barrier{kWorkers};
};

static double difference(const Plate &plate, int row, int column) {
  const auto &cells = plate.cells;
  double around = cells[row - 1][column] + cells[row + 1][column];
  around += cells[row][column - 1] + cells[row][column + 1];
  return around / 4 - cells[row][column];
}

static void relax(Plate &plate, int worker, int colour) {
  int first = 1 + worker * kRowsEach;
  for (int row = first; row < first + kRowsEach; ++row)
    for (int column = 1 + (row + colour) % 2; column < kSize - 1; column += 2)
      plate.cells[row][column] += kOmega * difference(plate, row, column); // RACE: sum-relax
}

static double totalHeat(const Plate &plate) {
  double total = 0;
  for (int row = 1; row < kSize - 1; ++row)
    for (int column = 1; column < kSize - 1; ++column)
      total += plate.cells[row][column]; // RACE: sum-relax
  return total;
}

static void solve(Plate &plate, int worker) {
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    relax(plate, worker, 0);
    plate.barrier.await();
    relax(plate, worker, 1);
    if (sweep + 1 < kSweeps)
      plate.barrier.await();
  }
  if (worker == 0)
    plate.heat = totalHeat(plate);
}

static double solveAlone(double edge) {
  Plate plate(edge);
  for (int half = 0; half < 2 * kSweeps; ++half)
    for (int worker = 0; worker < kWorkers; ++worker)
      relax(plate, worker, half % 2);
  return totalHeat(plate);
}

int main() {
  Plate iron(100);
  Plate copper(40);
  std::thread ironTop([&] { solve(iron, 0); });
  std::thread ironBottom([&] { solve(iron, 1); });
  std::thread copperTop([&] { solve(copper, 0); });
  std::thread copperBottom([&] { solve(copper, 1); });
  ironTop.join();
  ironBottom.join();
  copperTop.join();
  copperBottom.join();
  assert(iron.heat == solveAlone(100));  // EXPECT: assertion
  assert(copper.heat == solveAlone(40)); // EXPECT: assertion
}
