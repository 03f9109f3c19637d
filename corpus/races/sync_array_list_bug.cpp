// Two synchronized array lists, after Java's synchronized ArrayList. Every method locks its own
// list, but equals reads the size and the elements of the other list without that list's lock. A
// clear meanwhile takes the elements away, and an add can move them to a larger array.
#include <cassert>
#include <cstddef>
#include <initializer_list>
#include <mutex>
#include <thread>
#include <vector>

class SyncArrayList {
public:
  SyncArrayList(std::initializer_list<int> items) : items_(items) {}

  std::size_t size() {
    std::lock_guard<std::mutex> guard(mutex_);
    return items_.size();
  }

  void add(int item) {
    std::lock_guard<std::mutex> guard(mutex_);
    items_.push_back(item); // RACE: size-add, item-add
  }

  void clear() {
    std::lock_guard<std::mutex> guard(mutex_);
    items_.clear(); // RACE: size-clear, item-clear
  }

  bool equals(SyncArrayList &other) {
    std::size_t count = other.items_.size(); // RACE: size-add, size-clear
    if (size() != count)
      return false;
    for (std::size_t i = 0; i < count; ++i) {
      int theirs = other.items_.at(i); // EXPECT: exception // EXPECT: memory-error // RACE: item-add, item-clear
      if (!holds(i, theirs))
        return false;
    }
    return true;
  }

private:
  bool holds(std::size_t index, int item) {
    std::lock_guard<std::mutex> guard(mutex_);
    return index < items_.size() && items_[index] == item;
  }

  std::mutex mutex_;
  std::vector<int> items_;
};

int main() {
  SyncArrayList ordered{11, 12, 13};
  SyncArrayList shipped{11, 12, 13};
  std::thread compareOrdered([&] { ordered.equals(shipped); });
  std::thread compareShipped([&] { shipped.equals(ordered); });
  std::thread extend([&] {
    ordered.add(14);
    shipped.add(14);
  });
  std::thread reset([&] {
    shipped.clear();
    ordered.clear();
  });
  compareOrdered.join();
  compareShipped.join();
  extend.join();
  reset.join();
  assert(ordered.size() <= 1 && shipped.size() <= 1);
}
