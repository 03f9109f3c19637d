// The workers count their starts in a racing counter, which breaks nothing. Main relies on the time
// that it sleeps: that is what fails, with and without the counter.
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

int hits = 0; // racing
int started = 0;
std::mutex mutex;

void work() {
  ++hits;
  std::lock_guard lock(mutex);
  ++started;
}

int main() {
  std::thread first(work);
  std::thread second(work);
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  {
    std::lock_guard lock(mutex);
    assert(started == 2);
  }
  first.join();
  second.join();
}
