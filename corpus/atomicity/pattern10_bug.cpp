// Pattern 10: the state that is observed is inconsistent, because a reading and a writing unit take
// turns. A quote is read under two mutexes, and the reader gives up the first too early: the
// writer can set the ask, waits until it is read, and sets the bid. Neither unit can come in
// between the two accesses of the other as a whole.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

class Quote {
public:
  int spread() {
    std::unique_lock<std::mutex> entry(entryMutex_);
    std::unique_lock<std::mutex> exit(exitMutex_);
    int bid = bid_.load(); // VIOLATION: quote/10 first
    entry.unlock();
    int ask = ask_.load(); // VIOLATION: quote/10 second
    return ask - bid;
  }

  void set(int bid, int ask) {
    std::unique_lock<std::mutex> entry(entryMutex_);
    ask_.store(ask); // VIOLATION: quote/10 intruder
    std::unique_lock<std::mutex> exit(exitMutex_);
    bid_.store(bid); // VIOLATION: quote/10 intruder
  }

private:
  std::mutex entryMutex_;
  std::mutex exitMutex_;
  std::atomic<int> bid_{100};
  std::atomic<int> ask_{101};
};

int main() {
  Quote quote;
  int spread = 0;
  std::thread trader([&] { spread = quote.spread(); });
  std::thread exchange([&] { quote.set(90, 91); });
  trader.join();
  exchange.join();
  assert(spread == 1); // EXPECT: assertion
}
