// EXPECT: finished 6
// EXPECT: output "two\none\n"
#include <stdlib.h>
#include <unistd.h>

static void one(void) { write(1, "one\n", 4); }
static void two(void) { write(1, "two\n", 4); }
static void never(void) { write(1, "never\n", 6); }

int main(void) {
  atexit(never);
  at_quick_exit(one);
  at_quick_exit(two);
  quick_exit(6);
}
