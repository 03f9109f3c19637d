// Figure 2 of "Race Directed Random Testing of Concurrent Programs": many statements stand before
// one side of the race.
#include <cstdlib>
#include <mutex>
#include <thread>

int x = 0;
std::mutex lock;
volatile int work[16];

void statements() {
  for (int i = 0; i < STATEMENTS; ++i)
    work[i % 16] = i;
}

void thread1() {
  lock.lock();
  statements();
  lock.unlock();
  if (x == 0) // 8
    abort();  // ERROR
}

void thread2() {
  x = 1; // 10
  lock.lock();
  lock.unlock();
}

int main() {
  std::thread b(thread2), a(thread1);
  a.join();
  b.join();
}
