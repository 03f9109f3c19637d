// Flat combining: threads publish what they want in a slot of their own; whoever gets the lock
// carries out the requests of all, the others wait for their answer.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

namespace {

constexpr int kThreads = 3;

struct alignas(64) Slot {
  enum State { Empty, Asked, Answered };
  std::atomic<int> state{Empty};
  int key = 0;
  int amount = 0;
  int answer = 0;
};

class Inventory {
public:
  /// Adds to the stock of a key and returns what is there then.
  int add(int self, int key, int amount) {
    Slot& slot = slots_[self];
    slot.key = key;
    slot.amount = amount;
    slot.state.store(Slot::Asked, std::memory_order_release);
    while (slot.state.load(std::memory_order_acquire) != Slot::Answered) {
      if (!combining_.try_lock()) {
        std::this_thread::yield();
        continue;
      }
      combine();
      combining_.unlock();
    }
    slot.state.store(Slot::Empty, std::memory_order_relaxed);
    return slot.answer;
  }

  long combined() const { return combined_; }
  int stock(int key) { return stock_[key]; }

private:
  void combine() {
    for (Slot& slot : slots_) {
      if (slot.state.load(std::memory_order_acquire) != Slot::Asked)
        continue;
      slot.answer = stock_[slot.key] += slot.amount;
      ++combined_;
      slot.state.store(Slot::Answered, std::memory_order_release);
    }
  }

  std::mutex combining_;
  std::map<int, int> stock_;
  long combined_ = 0;
  Slot slots_[kThreads];
};

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 20000;
  Inventory inventory;
  std::vector<std::thread> threads;
  for (int self = 0; self < kThreads; ++self)
    threads.emplace_back([&, self] {
      for (int i = 0; i < rounds; ++i)
        assert(inventory.add(self, i % 5, 1) > 0);
    });
  for (std::thread& thread : threads)
    thread.join();
  long all = 0;
  for (int key = 0; key < 5; ++key)
    all += inventory.stock(key);
  assert(all == (long)kThreads * rounds);
  assert(inventory.combined() == all);
}
