// A main that never comes to an end, or to a bad one.
#include <cstdio>
#include <cstring>
#include <thread>

static int shared;

int main(int, char **argv) {
  std::thread other([] { shared = shared + 1; });
  puts("it begins");
  fflush(stdout);
  if (!strcmp(argv[1], "status")) {
    other.join();
    fputs("cannot begin\n", stderr);
    return 3;
  }
  unsigned long sum = 1;
  for (unsigned i = 0;; ++i) {
    if (!strcmp(argv[1], "writes"))
      shared = i;
    sum = sum * 3 + i;
    asm volatile("" : "+r"(sum));
  }
}
