// A fault at an instruction of the runtime is never called a bug of the program.
// EXPECT: lost-control 0
// EXPECT: none "in the runtime's own code"
#include <time.h>

int main(void) { nanosleep((const struct timespec*)8, 0); }
