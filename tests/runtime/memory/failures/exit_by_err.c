// libc's own call of exit.
// EXPECT: finished 3
// EXPECT: output "handler\n"
#include <err.h>
#include <stdio.h>
#include <stdlib.h>

static void handler(void) { puts("handler"); }

int main(void) {
  atexit(handler);
  errx(3, "the end");
}
