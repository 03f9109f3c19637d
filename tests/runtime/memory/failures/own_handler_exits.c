// The handler ends the process: the failure was there before it ran.
// EXPECT: crash "a null pointer dereference"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void report(int signal) {
  dprintf(2, "own report of %d\n", signal);
  _exit(3);
}

int main(void) {
  signal(SIGSEGV, report);
  *(volatile int*)8 = 1;
}
