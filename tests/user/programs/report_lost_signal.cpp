// The flag is checked without the mutex, so the signal can come before the wait.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
std::atomic<bool> ready{false};

int main() {
  std::thread waiter([] {
    while (!ready.load()) {
      std::unique_lock<std::mutex> guard(mutex);
      changed.wait(guard);
    }
  });
  ready = true;
  changed.notify_all();
  waiter.join();
}
