// A buffer with an intrusive reference count, released by two threads. release() decrements the
// count and then reads it again: both threads can read zero and delete the buffer, and one can read
// the count after the other deleted it.
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
    buffer->references_.fetch_sub(1);
    if (buffer->references_.load() == 0) // EXPECT: memory-error // RACE!
      delete buffer;                     // EXPECT: memory-error // RACE!
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
