// EXPECT: assertion "heddle_assert.c:8: main: Assertion `two == 3' failed."
#define NDEBUG
#include <heddle/heddle.h>

int main(void) {
  volatile int two = 2;
  HEDDLE_YIELD_POINT();
  HEDDLE_ASSERT(two == 3);
}
