// A copy of shared pointers is one's own, what they lead to is not.
// RACY: std::atomic<int> seen{0}; => int seen{0};
// RACY: std::lock_guard<std::mutex> guard(mutex_); // notify => // unlocked
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

class Subject {
public:
  using Callback = std::function<void(int)>;
  void subscribe(Callback callback) {
    std::lock_guard<std::mutex> guard(mutex_);
    callbacks_.push_back(std::make_shared<Callback>(std::move(callback)));
  }
  void notify(int value) {
    std::vector<std::shared_ptr<Callback>> copy;
    {
      std::lock_guard<std::mutex> guard(mutex_); // notify
      copy = callbacks_;
    }
    for (const auto& callback : copy)
      (*callback)(value);
  }

private:
  std::mutex mutex_;
  std::vector<std::shared_ptr<Callback>> callbacks_;
};

struct Counts {
  std::atomic<int> seen{0};
};

int main() {
  Subject subject;
  Counts counts;
  subject.subscribe([&counts](int value) { counts.seen += value; });
  std::thread one([&] { subject.notify(1); });
  std::thread other([&] {
    subject.subscribe([&counts](int) { ++counts.seen; });
    subject.notify(2);
  });
  one.join();
  other.join();
  return counts.seen > 0 ? 0 : 1;
}
