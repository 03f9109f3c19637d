// Tickets of a locked stock. Every method locks; who sells looks first and takes then, in a function
// that has no object of the stock: a desk that only knows it (DESK), or the body of a thread.
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

class Stock {
public:
  explicit Stock(int count) : free_(static_cast<std::size_t>(count), true) {}
  bool hasFree(std::size_t seat) const {
    std::lock_guard<std::mutex> guard(mutex_);
    return free_[seat];
  }
  void take(std::size_t seat) {
    std::lock_guard<std::mutex> guard(mutex_);
    free_[seat] = false;
    ++taken_;
  }
  int taken() const {
    std::lock_guard<std::mutex> guard(mutex_);
    return taken_;
  }

private:
  mutable std::mutex mutex_;
  std::vector<char> free_;
  int taken_ = 0;
};

class Desk {
public:
  explicit Desk(Stock& stock) : stock_(stock) {}
  void sell(std::size_t seat) {
    if (stock_.hasFree(seat)) // the look
      stock_.take(seat);      // and the act
  }

private:
  Stock& stock_;
};

int main() {
  Stock stock(2);
#ifdef DESK
  Desk desk(stock);
  std::thread one([&] { desk.sell(1); });
  std::thread two([&] { desk.sell(1); });
#else
  auto sell = [&] {
    if (stock.hasFree(1))
      stock.take(1);
  };
  std::thread one(sell);
  std::thread two(sell);
#endif
  one.join();
  two.join();
  assert(stock.taken() == 1);
}
