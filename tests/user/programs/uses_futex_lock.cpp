// Threads that are ordered by a library whose locks are futexes: futex_lock.c. The vector makes
// sure that registers survive a wait. With -DBUG one thread reads and writes in two sections.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>
#include <vector>

extern "C" {
void futex_lock();
void futex_unlock();
void futex_open();
void futex_pass();
}

namespace {

long balance;
int rounds = 3;
int limit;

void book(double factor) {
  futex_pass();
  double sum = 0;
  for (int i = 0; i < rounds; ++i) {
    sum += factor * i;
    futex_lock();
    long old = balance;
#ifdef BUG
    futex_unlock();
    futex_lock();
#endif
    balance = old + limit;
    futex_unlock();
  }
  assert(sum == factor * rounds * (rounds - 1) / 2);
}

} // namespace

int main(int argc, char** argv) {
  if (argc > 1)
    rounds = std::atoi(argv[1]);
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back(book, 0.5 * i);
  limit = 5;
  futex_open();
  for (std::thread& thread : threads)
    thread.join();
  assert(balance == 3L * 5 * rounds);
}
