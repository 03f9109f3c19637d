// The queue lock of Mellor-Crummey and Scott: every waiter spins on a flag of its own, in a node on
// its stack, until its predecessor hands the lock over.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

class McsLock {
public:
  struct Node {
    std::atomic<Node*> next{nullptr};
    std::atomic<bool> waits{false};
  };

  void lock(Node& node) {
    node.next.store(nullptr, std::memory_order_relaxed);
    Node* before = tail_.exchange(&node, std::memory_order_acq_rel);
    if (!before)
      return;
    node.waits.store(true, std::memory_order_relaxed);
    before->next.store(&node, std::memory_order_release);
    while (node.waits.load(std::memory_order_acquire))
      std::this_thread::yield();
  }

  void unlock(Node& node) {
    Node* next = node.next.load(std::memory_order_acquire);
    if (!next) {
      Node* self = &node;
      if (tail_.compare_exchange_strong(self, nullptr, std::memory_order_acq_rel))
        return;
      while (!(next = node.next.load(std::memory_order_acquire)))
        std::this_thread::yield();
    }
    next->waits.store(false, std::memory_order_release);
  }

private:
  std::atomic<Node*> tail_{nullptr};
};

struct Ledger {
  McsLock lock;
  long debit = 0;
  long credit = 0;

  void book(long amount) {
    McsLock::Node node;
    lock.lock(node);
    debit += amount;
    assert(debit != credit);
    credit += amount;
    assert(debit == credit);
    lock.unlock(node);
  }
};

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 20000;
  Ledger ledger;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] {
      for (int round = 1; round <= rounds; ++round)
        ledger.book(round);
    });
  for (std::thread& thread : threads)
    thread.join();
  assert(ledger.debit == 3L * rounds * (rounds + 1) / 2);
}
