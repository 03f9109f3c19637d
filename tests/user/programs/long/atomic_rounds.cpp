// Correct: two threads count by an atomic addition, as often as the argument says.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>
std::atomic<long> count{0};
int main(int, char** arguments) {
  long rounds = std::atol(arguments[1]);
  auto work = [rounds] {
    for (long i = 0; i < rounds; i++)
      count.fetch_add(1, std::memory_order_relaxed);
  };
  std::thread first(work), second(work);
  first.join();
  second.join();
  assert(count == 2 * rounds);
}
