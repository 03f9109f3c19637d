// Nobody is notified too early here: the last item is never put, and both threads wait for it.
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
int items = 1;

int main() {
  auto take = [] {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [] { return items > 0; });
    --items;
  };
  std::thread first(take), second(take);
  first.join();
  second.join();
}
