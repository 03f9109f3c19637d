// Correct: two threads count under a lock, as often as the argument says.
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <thread>
std::mutex mutex;
long count = 0;
int main(int, char** arguments) {
  long rounds = std::atol(arguments[1]);
  auto work = [rounds] {
    for (long i = 0; i < rounds; i++) {
      std::lock_guard<std::mutex> guard(mutex);
      count++;
    }
  };
  std::thread first(work), second(work);
  first.join();
  second.join();
  assert(count == 2 * rounds);
}
