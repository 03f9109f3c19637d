// The countdown notifies without the mutex that the waiter checks under.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

class Countdown {
public:
  explicit Countdown(int count) : left_(count) {}
  void arrive() {
    if (left_.fetch_sub(1) == 1)
      zero_.notify_all(); // the notification
  }
  void wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (left_.load() != 0) // the look
      zero_.wait(lock);       // the wait
  }

private:
  std::atomic<int> left_;
  std::mutex mutex_;
  std::condition_variable zero_;
};

int main() {
  Countdown countdown(1);
  std::thread worker([&] { countdown.arrive(); });
  countdown.wait();
  worker.join();
}
