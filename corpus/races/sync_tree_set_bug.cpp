// Two synchronized sorted sets, after Java's synchronized TreeSet. Every method locks its own set,
// but containsAll looks up one element of the other set after the other without that set's lock.
// A remove or clear meanwhile takes away the element it counts on, or frees the node it reads.
#include <cassert>
#include <climits>
#include <cstddef>
#include <initializer_list>
#include <mutex>
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
    int last = INT_MIN;
    for (std::size_t left = other.size(); left > 0; --left) {
      auto next = other.values_.upper_bound(last); // EXPECT: memory-error // EXPECT: crash // RACE: find-remove, find-clear
      assert(next != other.values_.end()); // EXPECT: assertion
      last = *next;                        // EXPECT: memory-error // RACE: read-remove, read-clear
      if (!contains(last))
        return false;
    }
    return true;
  }

  void remove(int value) {
    std::lock_guard<std::mutex> guard(mutex_);
    values_.erase(value); // RACE: find-remove, read-remove
  }

  void clear() {
    std::lock_guard<std::mutex> guard(mutex_);
    values_.clear(); // RACE: find-clear, read-clear
  }

private:
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
