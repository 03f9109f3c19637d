// Correct: the C++ library lists the threads in /proc/self/task.
#include <cassert>
#include <filesystem>
#include <latch>
#include <thread>
static int entriesIn(const char* folder) {
  int count = 0;
  for ([[maybe_unused]] auto& entry : std::filesystem::directory_iterator(folder))
    ++count;
  return count;
}
int main() {
  std::latch started(2), counted(2);
  std::thread other([&] {
    started.arrive_and_wait();
    counted.arrive_and_wait();
  });
  started.arrive_and_wait();
  int threads = entriesIn("/proc/self/task");
  counted.arrive_and_wait();
  other.join();
  assert(threads == 2);
  assert(entriesIn("/proc/self/fd") >= 3);
}
