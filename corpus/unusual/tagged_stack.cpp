// A lock-free free list of indices: head and a tag that grows with every change are one 64-bit
// word, so that an index that comes back does not fool the compare-and-swap.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

constexpr std::uint32_t kNone = 0xffffffff;

class FreeList {
public:
  explicit FreeList(std::uint32_t size) : next_(size) {
    for (std::uint32_t i = 0; i < size; ++i)
      put(i);
  }

  void put(std::uint32_t index) {
    std::uint64_t seen = head_.load(std::memory_order_relaxed);
    do
      next_[index].store(indexOf(seen), std::memory_order_relaxed);
    while (!head_.compare_exchange_weak(seen, pack(index, tagOf(seen) + 1),
                                        std::memory_order_release, std::memory_order_relaxed));
  }

  std::uint32_t take() {
    std::uint64_t seen = head_.load(std::memory_order_acquire);
    for (;;) {
      std::uint32_t index = indexOf(seen);
      if (index == kNone)
        return kNone;
      std::uint32_t next = next_[index].load(std::memory_order_relaxed);
      if (head_.compare_exchange_weak(seen, pack(next, tagOf(seen) + 1), std::memory_order_acquire,
                                      std::memory_order_acquire))
        return index;
    }
  }

private:
  static std::uint32_t indexOf(std::uint64_t word) { return static_cast<std::uint32_t>(word); }
  static std::uint32_t tagOf(std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32); }
  static std::uint64_t pack(std::uint32_t index, std::uint32_t tag) {
    return std::uint64_t(tag) << 32 | index;
  }

  std::atomic<std::uint64_t> head_{kNone};
  std::vector<std::atomic<std::uint32_t>> next_;
};

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 30000;
  constexpr int kBuffers = 5;
  FreeList list(kBuffers);
  int owner[kBuffers] = {};
  std::vector<std::thread> threads;
  for (int self = 1; self <= 3; ++self)
    threads.emplace_back([&, self] {
      for (int i = 0; i < rounds; ++i) {
        std::uint32_t index = list.take();
        assert(index != kNone);
        assert(owner[index] == 0);
        owner[index] = self;
        assert(owner[index] == self);
        owner[index] = 0;
        list.put(index);
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  int left = 0;
  while (list.take() != kNone)
    ++left;
  assert(left == kBuffers);
}
