// Four threads build one search tree: they walk down from the root and link a new node where there
// is none. The place is looked for without a lock, and the lock is taken only to link the node:
// what another thread has linked there in between is lost.
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#ifndef KEYS
#define KEYS 40000
#endif

struct Node {
  explicit Node(unsigned value) : key(value) {} // RACE!
  const unsigned key;
  std::mutex mutex;
  Node* children[2] = {}; // RACE!
};

class Tree {
public:
  Tree() : root_(0x80000000u) {}

  void insert(Node* node) {
    Node* at = &root_;
    for (;;) {
      bool side = node->key > at->key;  // RACE!
      Node* child = at->children[side]; // RACE!
      if (!child) {
        std::lock_guard<std::mutex> guard(at->mutex);
        at->children[side] = node; // RACE!
        return;
      }
      at = child;
    }
  }

  unsigned count() const { return countBelow(root_) - 1; }

private:
  static unsigned countBelow(const Node& node) {
    unsigned sum = 1;
    for (const Node* child : node.children)
      sum += child ? countBelow(*child) : 0;
    return sum;
  }

  Node root_;
};

/// Most of a thread's keys lie in its own quarter of the tree.
static void build(Tree& tree, std::vector<std::unique_ptr<Node>>& nodes, unsigned quarter) {
  unsigned seed = quarter * 7919 + 1;
  for (unsigned i = 0; i < KEYS; ++i) {
    seed = seed * 1664525u + 1013904223u;
    unsigned key = seed ^ seed >> 15;
    nodes.push_back(std::make_unique<Node>(i % 32 == 0 ? key : key >> 2 | quarter << 30));
    tree.insert(nodes.back().get());
  }
}

int main() {
  Tree tree;
  std::vector<std::unique_ptr<Node>> nodes[4];
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 4; ++i)
    threads.emplace_back(build, std::ref(tree), std::ref(nodes[i]), i);
  for (std::thread& thread : threads)
    thread.join();
  assert(tree.count() == 4 * KEYS); // EXPECT: assertion
}
