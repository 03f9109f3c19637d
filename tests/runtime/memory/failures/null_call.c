// EXPECT: crash "segmentation fault: execution at 0x0"
#include <stddef.h>

int main(void) {
  void (*volatile function)(void) = NULL;
  function();
}
