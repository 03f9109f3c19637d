// EXPECT: crash "segmentation fault: write at 0x10, a null pointer dereference"
// EXPECT: signal 11
// EXPECT: address 0x10
#include <stddef.h>

struct Node {
  long value[2];
  long last;
};

int main(void) {
  struct Node* volatile node = NULL;
  node->last = 1;
}
