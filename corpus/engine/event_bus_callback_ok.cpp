// An event bus that copies its listeners under the mutex and calls them without it, so a listener
// may unsubscribe itself from inside the call.
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
    std::lock_guard<std::mutex> guard(mutex_);
    listeners_.erase(id); // NORACE
  }

  void publish(int event) {
    std::map<int, Listener> listeners;
    {
      std::lock_guard<std::mutex> guard(mutex_);
      listeners = listeners_; // NORACE
    }
    for (auto &[id, listener] : listeners)
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
