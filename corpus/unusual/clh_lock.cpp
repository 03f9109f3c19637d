// The queue lock of Craig, Landin and Hagersten: each waiter spins on the node of its predecessor
// and takes that node over when it leaves, so nodes wander from thread to thread.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

namespace {

struct Node {
  std::atomic<bool> busy{false};
};

class ClhLock {
public:
  ClhLock() : tail_(new Node) {}
  ~ClhLock() { delete tail_.load(); }

  /// A thread's own node; after unlock it is another one.
  class Seat {
  public:
    Seat() : node_(new Node) {}
    ~Seat() { delete node_; }
    Seat(const Seat&) = delete;
    Seat& operator=(const Seat&) = delete;

  private:
    friend class ClhLock;
    Node* node_;
    Node* before_ = nullptr;
  };

  void lock(Seat& seat) {
    seat.node_->busy.store(true, std::memory_order_relaxed);
    seat.before_ = tail_.exchange(seat.node_, std::memory_order_acq_rel);
    while (seat.before_->busy.load(std::memory_order_acquire))
      std::this_thread::yield();
  }

  void unlock(Seat& seat) {
    Node* mine = seat.node_;
    seat.node_ = seat.before_;
    mine->busy.store(false, std::memory_order_release);
  }

private:
  std::atomic<Node*> tail_;
};

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 20000;
  ClhLock lock;
  std::vector<int> journal;
  journal.reserve(3 * rounds);
  std::vector<std::thread> threads;
  for (int self = 0; self < 3; ++self)
    threads.emplace_back([&, self] {
      ClhLock::Seat seat;
      for (int i = 0; i < rounds; ++i) {
        lock.lock(seat);
        journal.push_back(self);
        lock.unlock(seat);
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  int counts[3] = {};
  for (int self : journal)
    ++counts[self];
  for (int count : counts)
    assert(count == rounds);
}
