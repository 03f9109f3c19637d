// N threads that do nothing but yield: under round-robin every step is a decision with a switch.
#include <cstdlib>
#include <sched.h>
#include <thread>
#include <vector>

int main(int argc, char** argv) {
  int threads = argc > 1 ? std::atoi(argv[1]) : 2;
  long yields = argc > 2 ? std::atol(argv[2]) : 1000000;
  std::vector<std::thread> workers;
  for (int i = 0; i < threads; ++i)
    workers.emplace_back([=] {
      for (long k = 0; k < yields / threads; ++k)
        sched_yield();
    });
  for (std::thread& worker : workers)
    worker.join();
}
