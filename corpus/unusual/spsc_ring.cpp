// A ring for one producer and one consumer in which each side keeps a copy of the other side's
// index and looks at the real one only when the copy says full or empty.
#include <array>
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <string>
#include <thread>

namespace {

template <typename T, std::size_t Size> class Ring {
public:
  bool push(T&& item) {
    std::size_t tail = tail_.load(std::memory_order_relaxed);
    if (tail - headCopy_ == Size) {
      headCopy_ = head_.load(std::memory_order_acquire);
      if (tail - headCopy_ == Size)
        return false;
    }
    items_[tail % Size] = std::move(item);
    tail_.store(tail + 1, std::memory_order_release);
    return true;
  }

  bool pop(T& item) {
    std::size_t head = head_.load(std::memory_order_relaxed);
    if (head == tailCopy_) {
      tailCopy_ = tail_.load(std::memory_order_acquire);
      if (head == tailCopy_)
        return false;
    }
    item = std::move(items_[head % Size]);
    head_.store(head + 1, std::memory_order_release);
    return true;
  }

private:
  alignas(64) std::atomic<std::size_t> head_{0};
  alignas(64) std::size_t tailCopy_ = 0;
  alignas(64) std::atomic<std::size_t> tail_{0};
  alignas(64) std::size_t headCopy_ = 0;
  alignas(64) std::array<T, Size> items_;
};

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 40000;
  Ring<std::string, 8> ring;
  std::thread producer([&] {
    for (int i = 0; i < rounds; ++i) {
      std::string text = "a message that does not fit into the string itself " + std::to_string(i);
      while (!ring.push(std::move(text)))
        std::this_thread::yield();
    }
  });
  for (int i = 0; i < rounds; ++i) {
    std::string text;
    while (!ring.pop(text))
      std::this_thread::yield();
    assert(text.substr(text.rfind(' ') + 1) == std::to_string(i));
  }
  producer.join();
}
