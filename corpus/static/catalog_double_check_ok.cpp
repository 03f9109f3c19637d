// A catalogue that the first caller loads, with double-checked locking on an atomic pointer: stored
// with release, looked at with acquire, so that the loading happens before every use.
#include <atomic>
#include <memory>
#include <mutex>
#include <thread>

class Catalog {
public:
  Catalog() {
    for (int i = 0; i < 4; ++i)
      prices_[i] = 10 * (i + 1); // NORACE
  }

  int price(int article) const { return prices_[article]; } // NORACE

private:
  int prices_[4];
};

class Shop {
public:
  ~Shop() { delete catalog_; } // NORACE

  const Catalog &catalog() {
    Catalog *catalog = catalog_.load(std::memory_order_acquire); // NORACE
    if (!catalog) {
      std::lock_guard<std::mutex> guard(mutex_);
      ++loads_;                                           // NORACE
      catalog = catalog_.load(std::memory_order_relaxed); // NORACE
      if (!catalog) {
        catalog = new Catalog;
        catalog_.store(catalog, std::memory_order_release); // NORACE
      }
    }
    return *catalog;
  }

  int loads() const { return loads_; }

private:
  std::mutex mutex_;
  std::atomic<Catalog *> catalog_{nullptr};
  int loads_ = 0;
};

int main() {
  Shop shop;
  int left = 0, right = 0;
  std::thread first([&] { left = shop.catalog().price(1); });
  std::thread second([&] { right = shop.catalog().price(2); });
  first.join();
  second.join();
  return left == 20 && right == 30 && shop.loads() <= 2 ? 0 : 1; // NORACE
}
