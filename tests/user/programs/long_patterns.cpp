// Many objects, each with many pairs of members that are locked one by one: thousands of units of
// work that can be torn apart, in a run of some hundred thousand locked operations. No order of
// them breaks anything.
#include <array>
#include <mutex>
#include <thread>
#include <vector>

namespace {

constexpr int kObjects = 200;
constexpr int kMembers = 12;
constexpr int kRounds = 4000;

class Gauge {
public:
  void raise(size_t member) {
    set(member, get(member) + 1);
    set((member + 1) % kMembers, get(member));
  }
  long sum() {
    long total = 0;
    for (size_t i = 0; i < kMembers; ++i)
      total += get(i);
    return total;
  }

private:
  long get(size_t member) {
    std::lock_guard guard(mutex_);
    return values_[member];
  }
  void set(size_t member, long value) {
    std::lock_guard guard(mutex_);
    values_[member] = value;
  }

  std::mutex mutex_;
  std::array<long, kMembers> values_{};
};

std::vector<Gauge> gauges(kObjects);

void work(unsigned seed) {
  long seen = 0;
  for (int i = 0; i < kRounds; ++i) {
    seed = seed * 1664525u + 1013904223u;
    Gauge& gauge = gauges[(seed >> 8) % kObjects];
    gauge.raise((seed >> 20) % kMembers);
    seen |= gauge.sum();
  }
  if (seen < 0)
    gauges[0].raise(0);
}

} // namespace

int main() {
  std::vector<std::thread> threads;
  for (unsigned seed = 1; seed <= 6; ++seed)
    threads.emplace_back(work, seed);
  for (std::thread& thread : threads)
    thread.join();
}
