// A warehouse keeps the levels of its shelves in a vector. Every access is locked,
// but taking something looks at the level in one critical section and lowers it in another: two
// workers take the last piece.
#include <cassert>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

class Warehouse {
public:
  Warehouse() : levels_(4, 1) {}

  int level(std::size_t shelf) const {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    return levels_[shelf]; // VIOLATION: taken/1,2 first
  }

  bool take(std::size_t shelf) {
    if (level(shelf) == 0)
      return false;
    lower(shelf);
    return true;
  }

private:
  void lower(std::size_t shelf) {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    levels_[shelf] -= 1; // VIOLATION: taken/1,2 second // VIOLATION: taken/1,2 intruder
  }

  mutable std::recursive_mutex mutex_;
  std::vector<int> levels_;
};

int main() {
  Warehouse warehouse;
  std::thread first([&] { warehouse.take(2); });
  std::thread second([&] { warehouse.take(2); });
  first.join();
  second.join();
  assert(warehouse.level(2) >= 0); // EXPECT: assertion
}
