// EXPECT: crash "a null pointer dereference"
#include <signal.h>

static void report(int number) {
  signal(number, SIG_DFL);
  raise(number);
}

int main(void) {
  signal(SIGSEGV, report);
  *(volatile int*)8 = 1;
}
