// A stress test of a pool of buffers: four threads that hold up to two of seven buffers each,
// 100,000 locked operations. Looking for a buffer and taking it is one critical section.
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

#ifndef ROUNDS
#define ROUNDS 10000
#endif

struct Buffer {
  unsigned bytes[64] = {};
};

class Pool {
public:
  explicit Pool(int count) : buffers_(count) {
    for (Buffer& buffer : buffers_)
      free_.push_back(&buffer);
  }

  /// Null if all are in use.
  Buffer* take() {
    std::lock_guard<std::mutex> guard(mutex_);
    if (free_.empty()) // NORACE
      return nullptr;
    Buffer* buffer = free_.back();
    free_.pop_back();
    return buffer;
  }

  void giveBack(Buffer* buffer) {
    std::lock_guard<std::mutex> guard(mutex_);
    free_.push_back(buffer);
  }

private:
  std::mutex mutex_;
  std::vector<Buffer> buffers_;
  std::vector<Buffer*> free_;
};

static void fill(Buffer& buffer, unsigned seed) {
  for (int round = 0; round < 100; ++round)
    for (unsigned& byte : buffer.bytes)
      byte = seed = seed * 1664525u + 1013904223u;
}

static void work(Pool& pool, unsigned seed) {
  for (unsigned i = 0; i < ROUNDS; ++i) {
    Buffer* first = pool.take();
    if (!first)
      continue;
    fill(*first, seed + i);
    Buffer* second = i % 2 == 0 ? pool.take() : nullptr;
    if (second) {
      fill(*second, seed - i);
      pool.giveBack(second);
    }
    pool.giveBack(first);
  }
}

int main() {
  Pool pool(7);
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 4; ++i)
    threads.emplace_back(work, std::ref(pool), i * 7919);
  for (std::thread& thread : threads)
    thread.join();
}
