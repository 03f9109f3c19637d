// A lock-free stack of free buffers. take() reads the top and its successor and swings the top by
// compare-and-exchange, which succeeds as well if the top was taken and given back in between
// (ABA); the old successor may be in use by then and is handed out a second time.
#include <atomic>
#include <cassert>
#include <thread>

class BufferPool {
public:
  static constexpr int none = -1;
  static constexpr int size = 3;

  BufferPool() {
    for (int i = 0; i < size; ++i)
      next_[i].store(i + 1 < size ? i + 1 : none);
  }

  int take() {
    int top = top_.load();
    while (top != none) {
      int successor = next_[top].load();
      if (top_.compare_exchange_strong(top, successor))
        return markUsed(top);
    }
    return none;
  }

  void giveBack(int buffer) {
    inUse_[buffer].store(false);
    int top = top_.load();
    do
      next_[buffer].store(top);
    while (!top_.compare_exchange_strong(top, buffer));
  }

private:
  int markUsed(int buffer) {
    bool wasUsed = inUse_[buffer].exchange(true);
    assert(!wasUsed); // EXPECT: assertion
    return buffer;
  }

  std::atomic<int> top_{0};
  std::atomic<int> next_[size];
  std::atomic<bool> inUse_[size] = {};
};

static void sendTwo(BufferPool &pool) {
  pool.take();
  pool.take();
}

static void sendAndReturn(BufferPool &pool) {
  int header = pool.take();
  pool.take();
  if (header != BufferPool::none)
    pool.giveBack(header);
}

int main() {
  BufferPool pool;
  std::thread left([&] { sendTwo(pool); });
  std::thread right([&] { sendAndReturn(pool); });
  left.join();
  right.join();
}
