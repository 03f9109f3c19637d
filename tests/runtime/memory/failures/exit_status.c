// EXPECT: finished 7
// EXPECT: output "handler two\nhandler one\nbuffered"
#include <stdio.h>
#include <stdlib.h>

static void one(void) { puts("handler one"); }
static void two(void) { puts("handler two"); }
static void last(void) { printf("buffered"); }

int main(void) {
  atexit(last);
  atexit(one);
  atexit(two);
  exit(256 + 7);
}
