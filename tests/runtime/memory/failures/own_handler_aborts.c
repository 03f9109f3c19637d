// EXPECT: crash "a null pointer dereference"
// EXPECT: signal 11
#include <signal.h>
#include <stdlib.h>

static void report(int signal) {
  (void)signal;
  abort();
}

int main(void) {
  signal(SIGSEGV, report);
  *(volatile int*)8 = 1;
}
