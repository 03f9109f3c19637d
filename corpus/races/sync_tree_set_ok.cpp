// Two synchronized sorted sets, after Java's synchronized TreeSet. Every method locks its own set,
// and containsAll looks up each element of the other set in a method that locks that set; it ends
// when nothing follows, and never counts on an element that may have left.
#include <cassert>
#include <climits>
#include <cstddef>
#include <initializer_list>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

class SyncTreeSet {
public:
  SyncTreeSet(std::initializer_list<int> values) : values_(values) {}

  std::size_t size() {
    std::lock_guard<std::mutex> guard(mutex_);
    return values_.size();
  }

  bool contains(int value) {
    std::lock_guard<std::mutex> guard(mutex_);
    return values_.count(value) != 0;
  }

  bool containsAll(SyncTreeSet &other) {
    std::optional<int> value = other.after(INT_MIN);
    while (value.has_value()) {
      if (!contains(*value))
        return false;
      value = other.after(*value);
    }
    return true;
  }

  void remove(int value) {
    std::lock_guard<std::mutex> guard(mutex_);
    values_.erase(value);
  }

  void clear() {
    std::lock_guard<std::mutex> guard(mutex_);
    values_.clear();
  }

private:
  std::optional<int> after(int value) {
    std::lock_guard<std::mutex> guard(mutex_);
    auto next = values_.upper_bound(value);
    if (next == values_.end())
      return std::nullopt;
    return *next;
  }

  std::mutex mutex_;
  std::set<int> values_;
};

int main() {
  SyncTreeSet wanted{10, 20, 30};
  SyncTreeSet stocked{10, 20, 30};
  std::thread checkStock([&] { stocked.containsAll(wanted); });
  std::thread checkDemand([&] { wanted.containsAll(stocked); });
  std::thread sell([&] {
    wanted.remove(30);
    stocked.remove(30);
  });
  std::thread reset([&] {
    stocked.clear();
    wanted.clear();
  });
  checkStock.join();
  checkDemand.join();
  sell.join();
  reset.join();
  assert(wanted.size() == 0 && stocked.size() == 0);
}
