// FLAGS: -O2 -D_FORTIFY_SOURCE=2
// EXPECT: memory-error "buffer overflow detected"
#include <string.h>

int main(int argc, char** argv) {
  (void)argv;
  char buffer[8];
  volatile size_t length = 64 + argc;
  memset(buffer, 'x', length);
  return buffer[0];
}
