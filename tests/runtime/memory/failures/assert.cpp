// EXPECT: assertion "assert.cpp:8: int main(): Assertion `two == 3' failed."
// EXPECT: signal 6
#undef NDEBUG
#include <cassert>

int main() {
  volatile int two = 2;
  assert(two == 3);
}
