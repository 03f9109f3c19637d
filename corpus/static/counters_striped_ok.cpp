// Counters by key in four stripes, each with a lock. Whoever touches a stripe holds the lock of the
// same index.
#include <array>
#include <mutex>
#include <thread>

class StripedCounters {
public:
  void increment(unsigned key) {
    std::lock_guard<std::mutex> guard(locks_[stripe(key)]);
    counts_[stripe(key)] += 1; // NORACE
  }

  void reset(unsigned key) {
    std::lock_guard<std::mutex> guard(locks_[stripe(key)]);
    counts_[stripe(key)] = 0; // NORACE
  }

  long total() {
    long sum = 0;
    for (unsigned i = 0; i < kStripes; ++i) {
      std::lock_guard<std::mutex> guard(locks_[i]);
      sum += counts_[i]; // NORACE
    }
    return sum;
  }

private:
  static constexpr unsigned kStripes = 4;
  static unsigned stripe(unsigned key) { return key % kStripes; }

  std::array<std::mutex, kStripes> locks_;
  std::array<long, kStripes> counts_{};
};

int main() {
  StripedCounters counters;
  std::thread left([&] {
    for (unsigned key = 0; key < 32; ++key)
      counters.increment(key);
  });
  std::thread right([&] {
    for (unsigned key = 0; key < 32; ++key)
      counters.increment(key * 7);
  });
  counters.reset(6);
  long sum = counters.total();
  left.join();
  right.join();
  return sum <= 64 && counters.total() <= 64 ? 0 : 1;
}
