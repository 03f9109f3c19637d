// EXPECT: memory-error "invalid free"
#include <stdlib.h>

int main(void) {
  char* volatile block = malloc(40);
  free(block + 4);
}
