// A lock-free stack of free buffers. The top carries a tag that every change increments, so the
// compare-and-exchange fails when the top was taken and given back in between.
#include <atomic>
#include <cassert>
#include <cstdint>
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
    Top top = top_.load();
    while (top.buffer != none) {
      Top successor{next_[top.buffer].load(), top.tag + 1};
      if (top_.compare_exchange_strong(top, successor)) // NORACE
        return markUsed(top.buffer);
    }
    return none;
  }

  void giveBack(int buffer) {
    inUse_[buffer].store(false);
    Top top = top_.load();
    Top replacement;
    do {
      next_[buffer].store(top.buffer);
      replacement = Top{buffer, top.tag + 1};
    } while (!top_.compare_exchange_strong(top, replacement)); // NORACE
  }

private:
  int markUsed(int buffer) {
    bool wasUsed = inUse_[buffer].exchange(true);
    assert(!wasUsed);
    return buffer;
  }

  struct Top {
    int32_t buffer;
    uint32_t tag;
  };
  std::atomic<Top> top_{Top{0, 0}};
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
