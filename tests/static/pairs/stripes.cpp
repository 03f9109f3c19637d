// A lock for each stripe: which one is locked follows from the data, whether one stripe is looked
// for or all are gone through.
// clang-format off
// RACY: std::lock_guard<std::mutex> guard(stripe.mutex); // count => // unlocked
// RACY: std::lock_guard<std::mutex> guard(stripe.mutex); // put => std::lock_guard<std::mutex> guard(stripes_[0].mutex);
// clang-format on
#include <cstddef>
#include <list>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

class Table {
public:
  explicit Table(std::size_t stripes) : stripes_(stripes) {}

  void put(std::size_t key, int value) {
    Stripe& stripe = stripes_[key % stripes_.size()];
    std::lock_guard<std::mutex> guard(stripe.mutex); // put
    for (auto& [known, old] : stripe.items)
      if (known == key) {
        old = value;
        return;
      }
    stripe.items.emplace_back(key, value);
    ++stripe.size;
  }

  std::size_t count() {
    std::size_t all = 0;
    for (Stripe& stripe : stripes_) {
      std::lock_guard<std::mutex> guard(stripe.mutex); // count
      all += stripe.size;
    }
    return all;
  }

private:
  struct Stripe {
    std::mutex mutex;
    std::list<std::pair<std::size_t, int>> items;
    std::size_t size = 0;
  };
  std::vector<Stripe> stripes_;
};

int main() {
  Table table(8);
  std::thread one([&] { table.put(1, 1); });
  std::thread two([&] { table.put(9, 2); });
  table.count();
  one.join();
  two.join();
}
