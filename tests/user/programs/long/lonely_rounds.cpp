// Correct: the only thread counts by an atomic addition, as often as the argument says.
#include <atomic>
#include <cassert>
#include <cstdlib>
std::atomic<long> count{0};
int main(int, char** arguments) {
  long rounds = std::atol(arguments[1]);
  for (long i = 0; i < rounds; i++)
    count++;
  assert(count == rounds);
}
