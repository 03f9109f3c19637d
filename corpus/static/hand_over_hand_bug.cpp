// A sorted list with a lock in each node and hand-over-hand locking. The count gives the lock of a
// node back when it has that of the next, and counts the visit after that.
#include <mutex>
#include <thread>

struct Node {
  explicit Node(int value) : value(value) {}
  const int value;
  std::mutex mutex;
  Node *next = nullptr;
  int visits = 0;
};

class SortedList {
public:
  ~SortedList() {
    while (Node *node = head_.next) { // NORACE
      head_.next = node->next;        // NORACE
      delete node;                    // NORACE
    }
  }

  void insert(int value) {
    auto *fresh = new Node(value);
    Node *node = &head_;
    node->mutex.lock();
    while (node->next && node->next->value < value) { // NORACE
      Node *next = node->next;                        // NORACE
      next->mutex.lock();
      node->mutex.unlock();
      node = next;
    }
    fresh->next = node->next; // NORACE
    node->next = fresh;       // NORACE
    node->visits++;           // RACE!
    node->mutex.unlock();
  }

  int count() {
    int nodes = 0;
    Node *node = &head_;
    node->mutex.lock();
    while (Node *next = node->next) { // NORACE
      next->mutex.lock();
      node->mutex.unlock();
      node->visits++; // RACE!
      node = next;
      ++nodes;
    }
    node->mutex.unlock();
    return nodes;
  }

private:
  Node head_{0};
};

int main() {
  SortedList list;
  std::thread odd([&list] {
    for (int value = 1; value < 9; value += 2)
      list.insert(value);
  });
  std::thread even([&list] {
    for (int value = 8; value > 0; value -= 2)
      list.insert(value);
  });
  int early = list.count();
  odd.join();
  even.join();
  return early <= 8 && list.count() == 8 ? 0 : 1;
}
