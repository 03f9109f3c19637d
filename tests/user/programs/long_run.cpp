// Runs for many seconds: accesses to shared memory, of which nobody sees an end.
#include <cstdlib>
#include <thread>

volatile long shared;

void count(long times) {
  for (long i = 0; i < times; ++i)
    shared = shared + 1;
}

int main(int, char** arguments) {
  long times = atol(arguments[1]);
  std::thread one(count, times);
  count(times);
  one.join();
}
