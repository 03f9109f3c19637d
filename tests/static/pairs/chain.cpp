// Hand-over-hand: the lock that was next's is node's in the next round.
// RACY: next->mutex.lock(); => next->visits++; next->mutex.lock();
// RACY: node->mutex.unlock(); // old => node->mutex.unlock(); node->visits++;
#include <mutex>
#include <thread>

struct Node {
  std::mutex mutex;
  Node* next = nullptr;
  int visits = 0;
};

static void walk(Node* node) {
  node->mutex.lock();
  while (Node* next = node->next) {
    next->mutex.lock();
    node->visits++;
    node->mutex.unlock(); // old
    node = next;
  }
  node->visits++;
  node->mutex.unlock();
}

int main() {
  Node first, second;
  first.next = &second;
  std::thread left([&] { walk(&first); });
  std::thread right([&] { walk(&first); });
  left.join();
  right.join();
  return second.visits;
}
