// A sorted list with a lock in every node: who walks along it holds at most two locks and takes the
// next before it gives the last one back. Nodes are removed while both neighbours are held.
#include <atomic>
#include <cassert>
#include <climits>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

class SortedSet {
public:
  SortedSet() : head_{INT_MIN, new Node{INT_MAX, nullptr}} {}
  ~SortedSet() {
    for (Node* node = head_.next; node;) {
      Node* next = node->next;
      delete node;
      node = next;
    }
  }

  bool insert(int key) {
    auto [before, here] = find(key);
    bool absent = here->key != key;
    if (absent)
      before->next = new Node{key, here};
    here->mutex.unlock();
    before->mutex.unlock();
    return absent;
  }

  bool erase(int key) {
    auto [before, here] = find(key);
    bool present = here->key == key;
    if (present)
      before->next = here->next;
    here->mutex.unlock();
    before->mutex.unlock();
    if (present)
      delete here;
    return present;
  }

private:
  struct Node {
    int key;
    Node* next;
    std::mutex mutex{};
  };
  struct Position {
    Node* before;
    Node* here;
  };

  /// Both are locked, and the key belongs between them or is the second one's.
  Position find(int key) {
    Node* before = &head_;
    before->mutex.lock();
    Node* here = before->next;
    here->mutex.lock();
    while (here->key < key) {
      before->mutex.unlock();
      before = here;
      here = here->next;
      here->mutex.lock();
    }
    return {before, here};
  }

  Node head_;
};

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 8000;
  SortedSet set;
  std::atomic<int> inside{0};
  std::vector<std::thread> threads;
  for (int self = 0; self < 3; ++self)
    threads.emplace_back([&, self] {
      for (int i = 0; i < rounds; ++i) {
        if (set.insert((i * 7 + self) % 16))
          ++inside;
        if (set.erase((i * 5 + 3 * self) % 16))
          --inside;
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  int left = 0;
  for (int key = 0; key < 16; ++key)
    left += set.erase(key);
  assert(left == inside);
}
