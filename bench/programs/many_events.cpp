// N accesses to an array by two threads, one after the other: the length of a recorded trace.
#include <cstdlib>
#include <thread>

namespace {
long cells[1024];

void touch(long accesses) {
  for (long i = 0; i < accesses / 2; ++i)
    cells[i % 1024] += i;
}
} // namespace

int main(int argc, char** argv) {
  long accesses = argc > 1 ? std::atol(argv[1]) : 10'000'000;
  std::thread first(touch, accesses / 2 + 2);
  first.join();
  std::thread second(touch, accesses / 2 + 2);
  second.join();
  return cells[1] != 0 ? 0 : 1;
}
