// An adaptive mutex: it spins for a bounded number of rounds and then blocks in a condition
// variable, and counts in plain members, written by the owner only, how it was got.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

class AdaptiveMutex {
public:
  void lock() {
    for (int spin = 0; spin < 100; ++spin) {
      if (!busy_.load(std::memory_order_relaxed) && !busy_.exchange(true)) {
        ++spun_;
        return;
      }
      __builtin_ia32_pause();
    }
    std::unique_lock<std::mutex> lock(mutex_);
    ++sleepers_;
    freed_.wait(lock, [this] { return !busy_.exchange(true); });
    --sleepers_;
    lock.unlock();
    ++slept_;
  }

  void unlock() {
    busy_.store(false);
    std::lock_guard<std::mutex> guard(mutex_);
    if (sleepers_ > 0)
      freed_.notify_one();
  }

  long locked() const { return spun_ + slept_; }

private:
  std::atomic<bool> busy_{false};
  long spun_ = 0, slept_ = 0;
  std::mutex mutex_;
  std::condition_variable freed_;
  int sleepers_ = 0;
};

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 15000;
  AdaptiveMutex mutex;
  std::vector<long> values(8);
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] {
      for (int round = 0; round < rounds; ++round) {
        std::lock_guard<AdaptiveMutex> guard(mutex);
        ++values[round % values.size()];
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  long sum = 0;
  for (long value : values)
    sum += value;
  assert(sum == 3L * rounds);
  assert(mutex.locked() == sum);
}
