// A buffer with an intrusive reference count, released by two threads. Each uses the value that its
// own decrement returned, so exactly one of them sees the last reference go and deletes the buffer.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> liveBuffers{0};

class Buffer {
public:
  Buffer() { liveBuffers.fetch_add(1); }
  ~Buffer() { liveBuffers.fetch_sub(1); }

  void retain() { references_.fetch_add(1, std::memory_order_relaxed); }

  static void release(Buffer *buffer) {
    if (buffer->references_.fetch_sub(1, std::memory_order_acq_rel) == 1) // NORACE
      delete buffer;                                                      // NORACE
  }

private:
  std::atomic<int> references_{1};
};

static void transmit(Buffer *buffer) { Buffer::release(buffer); }

int main() {
  auto *buffer = new Buffer;
  buffer->retain();
  std::thread network(transmit, buffer);
  std::thread disk(transmit, buffer);
  network.join();
  disk.join();
  assert(liveBuffers.load() == 0);
}
