// A buffer that a background thread flushes every few milliseconds (a timed wait) until it is told
// to stop. What was added after the last flush and before the stop is never flushed, because the
// thread leaves the loop straight from the wait.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

class Flusher {
public:
  void add(int count) {
    std::lock_guard<std::mutex> guard(mutex_);
    buffered_ += count;
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
  }

  int flushed() const { return flushed_; }

private:
  void flushLocked() {
    flushed_ += buffered_;
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
  assert(flusher.flushed() == 7); // EXPECT: assertion
}
