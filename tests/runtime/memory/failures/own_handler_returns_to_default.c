// EXPECT: crash "a null pointer dereference"
#include <signal.h>

static void report(int number) { signal(number, SIG_DFL); }

int main(void) {
  signal(SIGSEGV, report);
  *(volatile int*)8 = 1;
}
