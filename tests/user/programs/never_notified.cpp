// Main notifies before anybody waits, and joins.
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;

int main() {
  std::thread waiter([] {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock);
  });
  changed.notify_one();
  waiter.join();
}
