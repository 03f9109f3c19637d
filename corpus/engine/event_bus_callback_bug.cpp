// An event bus that calls its listeners while it holds its mutex. A listener that finds the
// application closing unsubscribes itself from inside the call and locks the same mutex again: the
// thread waits for itself.
#include <atomic>
#include <cassert>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

class EventBus {
public:
  using Listener = std::function<void(int)>;

  void subscribe(int id, Listener listener) {
    std::lock_guard<std::mutex> guard(mutex_);
    listeners_[id] = std::move(listener);
  }

  void unsubscribe(int id) {
    std::lock_guard<std::mutex> guard(mutex_); // EXPECT: deadlock
    listeners_.erase(id);
  }

  void publish(int event) {
    std::lock_guard<std::mutex> guard(mutex_);
    for (auto &[id, listener] : listeners_)
      listener(event);
  }

private:
  std::mutex mutex_;
  std::map<int, Listener> listeners_;
};

int main() {
  EventBus bus;
  std::atomic<bool> closing{false};
  std::atomic<int> delivered{0};
  bus.subscribe(1, [&](int) {
    delivered.fetch_add(1);
    if (closing.load())
      bus.unsubscribe(1);
  });
  std::thread publisher([&] {
    bus.publish(10);
    bus.publish(20);
  });
  std::thread closer([&] { closing.store(true); });
  publisher.join();
  closer.join();
  assert(delivered.load() >= 1);
}
