// The same calls in both clones of a function that is only called through a pointer.
#include <cstdio>
#include <cstdlib>
#include <thread>

int total;

__attribute__((noinline)) void refuse(int code) {
  fprintf(stderr, "%d\n", code);
  abort();
}

void add(int one, int other) {
  total = total + one;
  if (one < 0)
    refuse(1);
  if (other > 100)
    refuse(2); // refused
  total = total + other;
}

int main(int argc, char **) {
  std::thread thread([argc] { add(argc, 100 + argc); });
  thread.join();
}
