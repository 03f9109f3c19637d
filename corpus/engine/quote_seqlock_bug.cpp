// A market quote under a sequence lock: the number is odd while a writer is at work. The reader
// waits for an even number but does not compare it with the number after its reads, so a writer
// that starts in between gives it the bid of one quote and the ask of another.
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
    while (sequence_.load() % 2 != 0)
      std::this_thread::yield();
    int bid = bid_.load();
    int ask = ask_.load();
    return ask - bid;
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
    assert(spread == 1); // EXPECT: assertion
  });
  feed.join();
  trader.join();
}
