// Correct: threads that wait for a lock by spinning on two of its operations. Those that wait must not keep the one that
// holds it from running, whatever the strategy prefers.
#include <atomic>
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

class SpinLock {
public:
  void lock() {
    unsigned long seen = word_.load(std::memory_order_relaxed);
    while (seen & 1)
      seen = word_.load(std::memory_order_relaxed);
    while (!word_.compare_exchange_strong(seen, seen | 1, std::memory_order_acquire, std::memory_order_relaxed))
      seen &= ~1ul;
  }
  void unlock() { word_.fetch_sub(1, std::memory_order_release); }

private:
  std::atomic<unsigned long> word_{0};
};

int main() {
  SpinLock lock;
  std::vector<int> log;
  std::atomic<std::shared_ptr<int>> current{std::make_shared<int>(1)};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&, i] {
      for (int round = 0; round < 2; ++round) {
        std::lock_guard<SpinLock> guard(lock);
        log.push_back(i);
        if (i == 0)
          current.store(std::make_shared<int>(round));
        else
          assert(*current.load() < 2);
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  assert(log.size() == 6);
}
