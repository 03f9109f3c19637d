// Vyukov's bounded queue for many producers and consumers: every cell has a sequence number that
// says for which turn it is free or filled.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

namespace {

template <typename T> class Queue {
public:
  explicit Queue(std::size_t size) : cells_(size), mask_(size - 1) {
    assert((size & mask_) == 0);
    for (std::size_t i = 0; i < size; ++i)
      cells_[i].sequence.store(i, std::memory_order_relaxed);
  }

  bool push(T item) {
    std::size_t place = tail_.load(std::memory_order_relaxed);
    for (;;) {
      Cell& cell = cells_[place & mask_];
      std::size_t sequence = cell.sequence.load(std::memory_order_acquire);
      auto distance = static_cast<std::ptrdiff_t>(sequence - place);
      if (distance < 0)
        return false;
      if (distance > 0) {
        place = tail_.load(std::memory_order_relaxed);
        continue;
      }
      if (tail_.compare_exchange_weak(place, place + 1, std::memory_order_relaxed)) {
        cell.item = std::move(item);
        cell.sequence.store(place + 1, std::memory_order_release);
        return true;
      }
    }
  }

  bool pop(T& item) {
    std::size_t place = head_.load(std::memory_order_relaxed);
    for (;;) {
      Cell& cell = cells_[place & mask_];
      std::size_t sequence = cell.sequence.load(std::memory_order_acquire);
      auto distance = static_cast<std::ptrdiff_t>(sequence - (place + 1));
      if (distance < 0)
        return false;
      if (distance > 0) {
        place = head_.load(std::memory_order_relaxed);
        continue;
      }
      if (head_.compare_exchange_weak(place, place + 1, std::memory_order_relaxed)) {
        item = std::move(cell.item);
        cell.sequence.store(place + mask_ + 1, std::memory_order_release);
        return true;
      }
    }
  }

private:
  struct Cell {
    std::atomic<std::size_t> sequence{0};
    T item{};
  };
  std::vector<Cell> cells_;
  const std::size_t mask_;
  alignas(64) std::atomic<std::size_t> tail_{0};
  alignas(64) std::atomic<std::size_t> head_{0};
};

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 20000;
  Queue<long> queue(8);
  std::atomic<long> sum{0};
  std::atomic<int> left{2 * rounds};
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i)
    threads.emplace_back([&] {
      for (int round = 1; round <= rounds; ++round)
        while (!queue.push(round))
          std::this_thread::yield();
    });
  for (int i = 0; i < 2; ++i)
    threads.emplace_back([&] {
      long item, mine = 0;
      while (left.load(std::memory_order_relaxed) > 0) {
        if (!queue.pop(item)) {
          std::this_thread::yield();
          continue;
        }
        mine += item;
        left.fetch_sub(1, std::memory_order_relaxed);
      }
      sum += mine;
    });
  for (std::thread& thread : threads)
    thread.join();
  assert(sum == (long)rounds * (rounds + 1));
}
