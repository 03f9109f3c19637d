// Figure 1 of "Race Directed Random Testing of Concurrent Programs": (5, 7) is a race with harm,
// (1, 10) only looks like one.
#include <cstdlib>
#include <mutex>
#include <thread>

int x = 0, y = 0, z = 0;
std::mutex lock;

void thread1() {
  x = 1; // 1
  lock.lock();
  y = 1;
  lock.unlock();
  if (z == 1) // 5
    abort();  // ERROR1
}

void thread2() {
  z = 1; // 7
  lock.lock();
  if (y == 1)
    if (x != 1) // 10
      abort();  // ERROR2
  lock.unlock();
}

int main() {
  std::thread a(thread1), b(thread2);
  a.join();
  b.join();
}
