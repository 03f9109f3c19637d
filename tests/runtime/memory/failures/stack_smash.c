// FLAGS: -fstack-protector-all
// EXPECT: memory-error "stack smashing detected"
#include <string.h>

__attribute__((noinline)) void smash(volatile size_t length) {
  char buffer[8];
  char* volatile place = buffer;
  for (size_t i = 0; i < length; ++i)
    place[i] = 'x';
}

int main(void) { smash(24); }
