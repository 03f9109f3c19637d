// Threads read a table that main has written, very often, and count in two sections of a lock what
// should be one.
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

constexpr int kThreads = 3;
constexpr int kRounds = 2000;
constexpr int kCells = 64;

static int cells[kCells];
static int counted = 0;
static std::mutex mutex;

static int readCounted() {
  std::lock_guard<std::mutex> guard(mutex);
  return counted;
}

static void writeCounted(int value) {
  std::lock_guard<std::mutex> guard(mutex);
  counted = value;
}

static void work(int& sum) {
  for (int round = 0; round < kRounds; ++round) {
    for (int cell : cells)
      sum += cell;
    if (round % 400 == 399) {
      int value = readCounted();
      writeCounted(value + 1);
      assert(readCounted() > value);
    }
  }
}

int main() {
  for (int i = 0; i < kCells; ++i)
    cells[i] = i;
  int sums[kThreads] = {};
  std::vector<std::thread> threads;
  for (int& sum : sums)
    threads.emplace_back(work, std::ref(sum));
  for (std::thread& thread : threads)
    thread.join();
}
