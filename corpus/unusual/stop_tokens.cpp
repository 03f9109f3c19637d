// std::jthread with stop tokens: consumers sleep in condition_variable_any until an item or the
// stop comes, stop callbacks count, and a binary semaphore for each round says that the item was
// taken.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <queue>
#include <semaphore>
#include <stop_token>
#include <thread>
#include <vector>

namespace {

class Inbox {
public:
  void put(int item) {
    {
      std::lock_guard guard(mutex_);
      items_.push(item);
    }
    arrived_.notify_one();
  }

  /// False when the stop was requested and nothing is left.
  bool take(std::stop_token stop, int& item) {
    std::unique_lock lock(mutex_);
    if (!arrived_.wait(lock, stop, [this] { return !items_.empty(); }))
      return false;
    item = items_.front();
    items_.pop();
    return true;
  }

private:
  std::mutex mutex_;
  std::condition_variable_any arrived_;
  std::queue<int> items_;
};

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 2500;
  Inbox inbox;
  std::binary_semaphore taken(0);
  std::atomic<long> sum{0};
  std::atomic<int> stops{0};
  {
    std::vector<std::jthread> consumers;
    for (int i = 0; i < 2; ++i)
      consumers.emplace_back([&](std::stop_token stop) {
        std::stop_callback count(stop, [&] { ++stops; });
        int item;
        while (inbox.take(stop, item)) {
          sum += item;
          taken.release();
        }
      });
    for (int i = 1; i <= rounds; ++i) {
      inbox.put(i);
      taken.acquire();
    }
  }
  assert(sum == (long)rounds * (rounds + 1) / 2);
  assert(stops <= 2);
}
