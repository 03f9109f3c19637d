// Two threads count without a lock. Argument "locked": with one.
#include <cassert>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <thread>

int counter;
std::mutex mutex;

void count(bool locked) {
  std::unique_lock<std::mutex> lock(mutex, std::defer_lock);
  if (locked)
    lock.lock();
  int seen = counter;
  counter = seen + 1;
}

int main(int argc, char** argv) {
  bool locked = argc > 1 && !strcmp(argv[1], "locked");
  fprintf(stderr, "the program starts\n");
  std::thread first(count, locked), second(count, locked);
  first.join();
  second.join();
  assert(counter == 2);
}
