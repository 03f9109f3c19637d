// A lock-free stack whose nodes are reclaimed with hazard pointers: who wants to read a node says
// so first and looks again whether it is still there; a node is deleted only when nobody names it.
#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

constexpr int kThreads = 3;

struct Node {
  int value;
  Node* next;
};

struct alignas(64) Hazard {
  std::atomic<Node*> node{nullptr};
};

Hazard hazards[kThreads];

bool isNamed(const Node* node) {
  for (Hazard& hazard : hazards)
    if (hazard.node.load() == node)
      return true;
  return false;
}

/// Nodes that one thread took off and that others may still look at.
class Retired {
public:
  void add(Node* node) {
    nodes_.push_back(node);
    if (nodes_.size() >= 2 * kThreads)
      scan();
  }

  void scan() {
    auto kept = std::partition(nodes_.begin(), nodes_.end(), isNamed);
    std::for_each(kept, nodes_.end(), [](Node* node) {
      node->value = -1;
      delete node;
    });
    nodes_.erase(kept, nodes_.end());
  }

  ~Retired() {
    while (!nodes_.empty()) {
      scan();
      std::this_thread::yield();
    }
  }

private:
  std::vector<Node*> nodes_;
};

class Stack {
public:
  void push(int value) {
    Node* node = new Node{value, head_.load()};
    while (!head_.compare_exchange_weak(node->next, node)) {
    }
  }

  bool pop(int self, int& value, Retired& retired) {
    std::atomic<Node*>& hazard = hazards[self].node;
    for (;;) {
      Node* top = head_.load();
      if (!top)
        return false;
      hazard.store(top);
      if (head_.load() != top)
        continue;
      if (!head_.compare_exchange_strong(top, top->next))
        continue;
      hazard.store(nullptr);
      value = top->value;
      retired.add(top);
      return true;
    }
  }

private:
  std::atomic<Node*> head_{nullptr};
};

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 30000;
  Stack stack;
  std::atomic<long> in{0}, out{0};
  std::vector<std::thread> threads;
  for (int self = 0; self < kThreads; ++self)
    threads.emplace_back([&, self] {
      Retired retired;
      long pushed = 0, popped = 0;
      for (int i = 1; i <= rounds; ++i) {
        stack.push(i);
        pushed += i;
        int value;
        if (stack.pop(self, value, retired)) {
          assert(value > 0);
          popped += value;
        }
      }
      hazards[self].node.store(nullptr);
      in += pushed;
      out += popped;
    });
  for (std::thread& thread : threads)
    thread.join();
  int value;
  Retired retired;
  while (stack.pop(0, value, retired))
    out += value;
  hazards[0].node.store(nullptr);
  assert(in == out);
}
