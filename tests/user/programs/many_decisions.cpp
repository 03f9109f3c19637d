// So many operations on locks that a random schedule of them has millions of decisions.
#include <mutex>
#include <thread>
#include <vector>

constexpr int kRounds = 2'500'000;

static std::mutex mutex;
static long sum = 0;

static void add() {
  for (int i = 0; i < kRounds; ++i) {
    std::lock_guard<std::mutex> guard(mutex);
    ++sum;
  }
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back(add);
  for (std::thread& thread : threads)
    thread.join();
  return sum != 3L * kRounds;
}
