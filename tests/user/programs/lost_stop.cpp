// A worker that sleeps for ever: stop() sets its flag and notifies between the worker's test and its
// wait, because it does not take the mutex. That push() looks at the lines between two of the
// worker's steps is how a queue works, and has nothing to do with it.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

class Shipper {
public:
  void push(std::string line) {
    {
      std::unique_lock lock(mutex_);
      room_.wait(lock, [&] { return lines_.size() < 2; });
      lines_.push_back(std::move(line));
    }
    work_.notify_one();
  }
  void stop() {
    stopped_.store(true);
    work_.notify_all();
  }
  int run() {
    int shipped = 0;
    std::unique_lock lock(mutex_);
    for (;;) {
      while (lines_.empty() && !stopped_.load())
        work_.wait(lock); // SLEEPS
      if (lines_.empty())
        return shipped;
      lines_.pop_front();
      ++shipped;
      lock.unlock();
      room_.notify_one();
      lock.lock();
    }
  }

private:
  std::mutex mutex_;
  std::condition_variable work_;
  std::condition_variable room_;
  std::deque<std::string> lines_;
  std::atomic<bool> stopped_{false};
};

int main() {
  Shipper shipper;
  int shipped = 0;
  std::thread worker([&] { shipped = shipper.run(); });
  std::thread producer([&] {
    for (int i = 0; i < 3; ++i)
      shipper.push("line " + std::to_string(i));
  });
  producer.join();
  shipper.stop();
  worker.join();
  assert(shipped == 3);
}
