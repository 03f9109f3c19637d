// A map that is written under a lock and read without: its two calls meet in many lines of the library.
#include <map>
#include <mutex>
#include <thread>

class Prices {
public:
  void put(int item, double price) {
    std::lock_guard<std::mutex> guard(mutex_);
    prices_[item] = price;
  }
  bool has(int item) const { return prices_.find(item) != prices_.end(); }

private:
  std::mutex mutex_;
  std::map<int, double> prices_;
};

int main() {
  Prices prices;
  std::thread writer([&] { prices.put(1, 2.5); });
  std::thread reader([&] { (void)prices.has(1); });
  writer.join();
  reader.join();
}
