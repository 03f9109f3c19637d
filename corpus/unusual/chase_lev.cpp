// The work-stealing deque of Chase and Lev, sequentially consistent throughout: the owner works at
// the bottom, thieves take from the top, and the last item is contended for.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

class Deque {
public:
  explicit Deque(long size) : items_(size), size_(size) {}

  bool push(int item) {
    long bottom = bottom_.load();
    if (bottom - top_.load() >= size_)
      return false;
    items_[bottom % size_].store(item, std::memory_order_relaxed);
    bottom_.store(bottom + 1);
    return true;
  }

  bool pop(int& item) {
    long bottom = bottom_.load() - 1;
    bottom_.store(bottom);
    long top = top_.load();
    if (top > bottom) {
      bottom_.store(bottom + 1);
      return false;
    }
    item = items_[bottom % size_].load(std::memory_order_relaxed);
    if (top < bottom)
      return true;
    bool won = top_.compare_exchange_strong(top, top + 1);
    bottom_.store(bottom + 1);
    return won;
  }

  bool steal(int& item) {
    long top = top_.load();
    if (top >= bottom_.load())
      return false;
    item = items_[top % size_].load(std::memory_order_relaxed);
    return top_.compare_exchange_strong(top, top + 1);
  }

private:
  std::vector<std::atomic<int>> items_;
  const long size_;
  alignas(64) std::atomic<long> top_{0};
  alignas(64) std::atomic<long> bottom_{0};
};

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 40000;
  Deque deque(32);
  std::vector<int> done(rounds); // each element is written by whoever has got that item
  std::atomic<bool> ended{false};
  std::vector<std::thread> thieves;
  for (int i = 0; i < 2; ++i)
    thieves.emplace_back([&] {
      int item;
      while (!ended.load()) {
        if (deque.steal(item))
          ++done[item];
        else
          std::this_thread::yield();
      }
    });
  int item;
  for (int i = 0; i < rounds; ++i) {
    while (!deque.push(i))
      if (deque.pop(item))
        ++done[item];
    if (i % 3 == 0 && deque.pop(item))
      ++done[item];
  }
  while (deque.pop(item))
    ++done[item];
  ended.store(true);
  for (std::thread& thief : thieves)
    thief.join();
  for (int count : done)
    assert(count == 1);
}
