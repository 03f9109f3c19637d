// Epoch-based reclamation: threads pin the global epoch while they look at shared nodes. Who retires a
// node may be one epoch late, and who looks at it another one: after three it is deleted.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

constexpr int kThreads = 3;
constexpr unsigned kIdle = ~0u;

std::atomic<unsigned> globalEpoch{0};
struct alignas(64) Local {
  std::atomic<unsigned> epoch{kIdle};
};
Local locals[kThreads];

struct Message {
  int number;
  int check;
};

std::mutex leftMutex;
std::vector<Message*> left;

class Participant {
public:
  explicit Participant(int self) : local_(locals[self]) {}
  ~Participant() {
    // Others may still look at these; main deletes them when all threads have ended.
    std::lock_guard<std::mutex> guard(leftMutex);
    for (std::vector<Message*>& bag : bags_)
      left.insert(left.end(), bag.begin(), bag.end());
  }

  void pin() {
    unsigned epoch = globalEpoch.load();
    local_.epoch.store(epoch);
    // The announcement must not be older than the epoch that others may leave.
    while (epoch != globalEpoch.load())
      local_.epoch.store(epoch = globalEpoch.load());
    if (epoch != seen_)
      empty(bags_[epoch % 3]);
    seen_ = epoch;
  }

  void unpin() { local_.epoch.store(kIdle, std::memory_order_release); }

  void retire(Message* message) {
    bags_[seen_ % 3].push_back(message);
    if (++retired_ % 16 == 0)
      tryAdvance();
  }

private:
  static void empty(std::vector<Message*>& bag) {
    for (Message* message : bag) {
      message->check = 0;
      delete message;
    }
    bag.clear();
  }

  static void tryAdvance() {
    unsigned epoch = globalEpoch.load();
    for (Local& local : locals) {
      unsigned other = local.epoch.load();
      if (other != kIdle && other != epoch)
        return;
    }
    globalEpoch.compare_exchange_strong(epoch, epoch + 1);
  }

  Local& local_;
  unsigned seen_ = 0;
  long retired_ = 0;
  std::vector<Message*> bags_[3];
};

std::atomic<Message*> latest{nullptr};

void work(int self, int rounds) {
  Participant participant(self);
  for (int i = 1; i <= rounds; ++i) {
    participant.pin();
    if (Message* message = latest.load())
      assert(message->check == ~message->number);
    if (i % 4 == self)
      if (Message* old = latest.exchange(new Message{i, ~i}))
        participant.retire(old);
    participant.unpin();
  }
}

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 40000;
  std::vector<std::thread> threads;
  for (int self = 0; self < kThreads; ++self)
    threads.emplace_back(work, self, rounds);
  for (std::thread& thread : threads)
    thread.join();
  assert(latest.load() != nullptr);
  delete latest.load();
  for (Message* message : left)
    delete message;
}
