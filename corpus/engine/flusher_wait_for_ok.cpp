// A buffer that a background thread flushes every few milliseconds (a timed wait) until it is told
// to stop. It flushes once more after the loop, under the same lock under which it saw the stop, so
// nothing that was added before stop() is left behind.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

class Flusher {
public:
  void add(int count) {
    std::lock_guard<std::mutex> guard(mutex_);
    buffered_ += count; // NORACE
  }

  void stop() {
    std::lock_guard<std::mutex> guard(mutex_);
    stopping_ = true;
    wakeUp_.notify_one();
  }

  void run() {
    std::unique_lock<std::mutex> lock(mutex_);
    do
      flushLocked();
    while (!wakeUp_.wait_for(lock, std::chrono::milliseconds(2), [this] { return stopping_; }));
    flushLocked();
  }

  int flushed() const { return flushed_; }

private:
  void flushLocked() {
    flushed_ += buffered_; // NORACE
    buffered_ = 0;
  }

  std::mutex mutex_;
  std::condition_variable wakeUp_;
  int buffered_ = 0;
  int flushed_ = 0;
  bool stopping_ = false;
};

int main() {
  Flusher flusher;
  std::thread application([&] {
    flusher.add(3);
    flusher.add(4);
    flusher.stop();
  });
  std::thread background([&] { flusher.run(); });
  application.join();
  background.join();
  assert(flusher.flushed() == 7);
}
