// A hash table with striped locks, each a test-and-set spin lock that yields. Moving entries takes
// the stripe with the lower index first, whatever the direction, so no two moves wait in a circle.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

class SpinLock {
public:
  void lock() {
    while (held_.test_and_set(std::memory_order_acquire))
      std::this_thread::yield();
  }
  void unlock() { held_.clear(std::memory_order_release); }

private:
  std::atomic_flag held_ = ATOMIC_FLAG_INIT;
};

struct Stripe {
  SpinLock lock;
  int entries = 8;
};

static Stripe stripes[2];

static void moveEntries(int from, int to, int count) {
  std::lock_guard<SpinLock> first(stripes[from < to ? from : to].lock);
  std::lock_guard<SpinLock> second(stripes[from < to ? to : from].lock);
  stripes[from].entries -= count; // NORACE
  stripes[to].entries += count;   // NORACE
}

int main() {
  std::thread up([] { moveEntries(0, 1, 2); });
  std::thread down([] { moveEntries(1, 0, 5); });
  up.join();
  down.join();
  assert(stripes[0].entries == 11);
  assert(stripes[1].entries == 5);
}
