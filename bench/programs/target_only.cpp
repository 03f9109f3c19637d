// Nothing but the target: shows what it costs to come to it.
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace {

/// What the forced runs of the bench aim at; each thread has an element of its own.
long progress[8];

void work(int id, long rounds) {
  for (long i = 0; i < rounds; ++i)
    progress[id] += i;
}

} // namespace

int main(int argc, char** argv) {
  long rounds = argc > 1 ? std::atol(argv[1]) : 4000000;
  std::thread first(work, 1, rounds);
  std::thread second(work, 2, rounds);
  first.join();
  second.join();
  std::printf("%ld\n", progress[1] - progress[2]);
}
