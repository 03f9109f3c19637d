// Pattern 10: the state that is observed is inconsistent, because a reading and a writing unit take
// turns. A quote is read and written under two mutexes, which both keep until they are done.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

class Quote {
public:
  int spread() {
    std::unique_lock<std::mutex> entry(entryMutex_);
    std::unique_lock<std::mutex> exit(exitMutex_);
    int bid = bid_.load(); // NOVIOLATION
    int ask = ask_.load(); // NOVIOLATION
    return ask - bid;
  }

  void set(int bid, int ask) {
    std::unique_lock<std::mutex> entry(entryMutex_);
    ask_.store(ask); // NOVIOLATION
    std::unique_lock<std::mutex> exit(exitMutex_);
    bid_.store(bid); // NOVIOLATION
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
  assert(spread == 1);
}
