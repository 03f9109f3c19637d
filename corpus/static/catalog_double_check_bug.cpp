// A catalogue that the first caller loads, with double-checked locking on a plain pointer. The
// first look races with the store, and nothing orders the loading before the use.
#include <atomic>
#include <memory>
#include <mutex>
#include <thread>

class Catalog {
public:
  Catalog() {
    for (int i = 0; i < 4; ++i)
      prices_[i] = 10 * (i + 1); // RACE!
  }

  int price(int article) const { return prices_[article]; } // RACE!

private:
  int prices_[4];
};

class Shop {
public:
  ~Shop() { delete catalog_; } // NORACE

  const Catalog &catalog() {
    if (!catalog_) { // RACE!
      std::lock_guard<std::mutex> guard(mutex_);
      ++loads_;                 // NORACE
      if (!catalog_)            // NORACE
        catalog_ = new Catalog; // RACE!
    }
    return *catalog_; // RACE!
  }

  int loads() const { return loads_; }

private:
  std::mutex mutex_;
  Catalog *catalog_ = nullptr;
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
