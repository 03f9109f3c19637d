// EXPECT: assertion "abort() called"
// EXPECT: signal 6
#include <stdlib.h>

int main(void) { abort(); }
