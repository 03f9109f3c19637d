// 10⁹ accesses of which 10⁶ touch shared memory: each thread works on an array of its own and adds
// to a shared total, under a lock, once in a thousand accesses. Rounds other than those for 10⁹ are
// an argument.
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

constexpr int kThreads = 2;
constexpr int kPrivateSteps = 1'000;

int rounds = 250'000;

std::mutex mutex;
uint64_t total = 0;

void work(uint64_t seed) {
  std::vector<uint64_t> own(256, seed);
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < kPrivateSteps; ++i)
      own[(i * 7) & 255] += own[i & 255]; // two reads and a write
    std::lock_guard lock(mutex);
    total += own[round & 255]; // a read and a write of shared memory
  }
}

} // namespace

int main(int count, char** arguments) {
  if (count > 1)
    rounds = std::atoi(arguments[1]);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back(work, static_cast<uint64_t>(i) + 1);
  for (std::thread& thread : threads)
    thread.join();
  return total != 0 ? 0 : 1;
}
