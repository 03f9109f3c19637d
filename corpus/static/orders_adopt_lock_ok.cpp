// An order book and a stock list, each with a lock; an order needs both. std::lock takes them
// together and two guards adopt them.
#include <mutex>
#include <thread>
#include <vector>

struct Stock {
  std::mutex mutex;
  int pieces = 20;
  int reorders = 0;
};

struct Orders {
  std::mutex mutex;
  std::vector<int> open;
};

class Shop {
public:
  bool order(int pieces) {
    std::lock(orders_.mutex, stock_.mutex);
    std::lock_guard<std::mutex> ordersGuard(orders_.mutex, std::adopt_lock);
    std::lock_guard<std::mutex> stockGuard(stock_.mutex, std::adopt_lock);
    if (stock_.pieces < pieces) // NORACE
      return false;
    stock_.pieces -= pieces;        // NORACE
    orders_.open.push_back(pieces); // NORACE
    return true;
  }

  void restock(int pieces) {
    std::lock_guard<std::mutex> guard(stock_.mutex);
    stock_.pieces += pieces; // NORACE
    ++stock_.reorders;       // NORACE
  }

  std::size_t openOrders() {
    std::lock_guard<std::mutex> guard(orders_.mutex);
    return orders_.open.size(); // NORACE
  }

  int reorders() {
    std::lock_guard<std::mutex> guard(stock_.mutex);
    return stock_.reorders; // NORACE
  }

private:
  Stock stock_;
  Orders orders_;
};

int main() {
  Shop shop;
  std::thread customer([&] {
    for (int i = 0; i < 5; ++i)
      shop.order(2);
  });
  std::thread supplier([&] {
    for (int i = 0; i < 3; ++i)
      shop.restock(10);
  });
  customer.join();
  supplier.join();
  return shop.openOrders() == 5 && shop.reorders() == 3 ? 0 : 1;
}
