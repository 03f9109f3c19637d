// A market quote under a sequence lock: the number is odd while a writer is at work. The reader
// accepts what it read only if the number was even before and is the same after.
#include <atomic>
#include <cassert>
#include <thread>

class Quote {
public:
  void update(int bid, int ask) {
    sequence_.fetch_add(1);
    bid_.store(bid);
    ask_.store(ask);
    sequence_.fetch_add(1);
  }

  int spread() const {
    for (;;) {
      unsigned before = sequence_.load();
      int bid = bid_.load(); // NORACE
      int ask = ask_.load(); // NORACE
      if (before % 2 == 0 && sequence_.load() == before)
        return ask - bid;
      std::this_thread::yield();
    }
  }

private:
  std::atomic<unsigned> sequence_{0};
  std::atomic<int> bid_{100};
  std::atomic<int> ask_{101};
};

int main() {
  Quote quote;
  std::thread feed([&] { quote.update(200, 201); });
  std::thread trader([&] {
    int spread = quote.spread();
    assert(spread == 1);
  });
  feed.join();
  trader.join();
}
