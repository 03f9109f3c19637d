// Two synchronized array lists, after Java's synchronized ArrayList. Every method locks its own
// list, and equals locks both lists together with std::scoped_lock, which cannot deadlock against
// the opposite comparison; both lists stand still while they are compared.
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
    items_.push_back(item);
  }

  void clear() {
    std::lock_guard<std::mutex> guard(mutex_);
    items_.clear();
  }

  bool equals(SyncArrayList &other) {
    std::scoped_lock guard(mutex_, other.mutex_);
    std::size_t count = other.items_.size();
    if (items_.size() != count)
      return false;
    for (std::size_t i = 0; i < count; ++i) {
      int theirs = other.items_.at(i);
      if (items_[i] != theirs)
        return false;
    }
    return true;
  }

private:
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
