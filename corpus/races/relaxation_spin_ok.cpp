// Successive over-relaxation of two heated plates, two workers for each plate, with a barrier that
// spins on atomics after each half of a sweep, also of the last one. No lock protects the cells:
// the barrier alone orders all accesses to them.
#include <atomic>
#include <cassert>
#include <thread>

class Barrier {
public:
  explicit Barrier(int parties) : parties_(parties) {}

  void await() {
    int generation = generation_.load();
    if (arrived_.fetch_add(1) + 1 == parties_) {
      arrived_.store(0);
      generation_.fetch_add(1);
      return;
    }
    while (generation_.load() == generation)
      std::this_thread::yield();
  }

private:
  const int parties_;
  std::atomic<int> arrived_{0};
  std::atomic<int> generation_{0};
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
      plate.cells[row][column] += kOmega * difference(plate, row, column);
}

static double totalHeat(const Plate &plate) {
  double total = 0;
  for (int row = 1; row < kSize - 1; ++row)
    for (int column = 1; column < kSize - 1; ++column)
      total += plate.cells[row][column];
  return total;
}

static void solve(Plate &plate, int worker) {
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    relax(plate, worker, 0);
    plate.barrier.await();
    relax(plate, worker, 1);
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
  assert(iron.heat == solveAlone(100));
  assert(copper.heat == solveAlone(40));
}
