// Relies on a notification that may be missing: "timeout" fails when a timed wait ends early,
// "spurious" when a wait ends without a notification.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
bool ready;

int main(int argc, char** argv) {
  std::thread other([] {
    std::lock_guard<std::mutex> lock(mutex);
    ready = true;
    changed.notify_one();
  });
  {
    std::unique_lock<std::mutex> lock(mutex);
    if (!ready && argc > 1 && !strcmp(argv[1], "timeout"))
      changed.wait_for(lock, std::chrono::seconds(10));
    else if (!ready)
      changed.wait(lock);
    assert(ready);
  }
  other.join();
}
