// Two std::threads and about twenty sync operations: the subject of the throughput measurement.
#include <mutex>
#include <thread>

namespace {
std::mutex mutex;
int counter = 0;

void work() {
  for (int i = 0; i < 4; ++i) {
    std::lock_guard lock(mutex);
    ++counter;
  }
}
} // namespace

int main() {
  std::thread first(work);
  std::thread second(work);
  first.join();
  second.join();
  return counter == 8 ? 0 : 1;
}
