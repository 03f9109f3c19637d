// EXPECT: crash "use of a pointer that was read from a freed heap block"
#include <cstdlib>

struct Node {
  Node* next;
  int value;
};

int main() {
  Node* volatile node = static_cast<Node*>(malloc(sizeof(Node)));
  node->next = nullptr;
  free(node);
  Node* volatile next = node->next;
  return next->value;
}
