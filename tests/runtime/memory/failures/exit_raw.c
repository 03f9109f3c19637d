// _exit runs no handlers and flushes nothing.
// EXPECT: finished 9
// EXPECT: output "flushed\n"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void never(void) { puts("never"); }

int main(void) {
  atexit(never);
  puts("flushed");
  fflush(stdout);
  printf("lost");
  _exit(9);
}
