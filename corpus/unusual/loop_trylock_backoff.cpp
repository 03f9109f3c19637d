// Transfers between accounts take two locks without an order among them: the second one is only
// tried, and after a failure the first is given back and the thread waits a little longer each
// time.
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

struct Account {
  std::mutex mutex;
  long balance = 1000;
};

class Backoff {
public:
  void pause() {
    for (int i = 0; i < length_; ++i)
      std::this_thread::yield();
    if (length_ < 16)
      length_ *= 2;
  }

private:
  int length_ = 1;
};

void transfer(Account& from, Account& to, long amount) {
  Backoff backoff;
  for (;;) {
    std::unique_lock<std::mutex> first(from.mutex);
    std::unique_lock<std::mutex> second(to.mutex, std::try_to_lock);
    if (second.owns_lock()) {
      from.balance -= amount;
      to.balance += amount;
      return;
    }
    first.unlock();
    backoff.pause();
  }
}

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 20000;
  Account accounts[3];
  std::vector<std::thread> threads;
  for (int self = 0; self < 3; ++self)
    threads.emplace_back([&, self] {
      for (int i = 0; i < rounds; ++i)
        transfer(accounts[self], accounts[(self + 1 + i % 2) % 3], i % 5);
    });
  for (std::thread& thread : threads)
    thread.join();
  assert(accounts[0].balance + accounts[1].balance + accounts[2].balance == 3000);
}
