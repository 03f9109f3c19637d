// EXPECT: crash "SIGSEGV"
// EXPECT: signal 11
#include <signal.h>

int main(void) { raise(SIGSEGV); }
