// EXPECT: memory-error "double free: the block of 40 bytes"
#include <stdlib.h>

int main(void) {
  void* volatile block = malloc(40);
  free(block);
  free(block);
}
