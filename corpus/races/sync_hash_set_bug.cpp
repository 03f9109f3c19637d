// Two synchronized hash sets, after Java's synchronized HashSet. Every method locks its own set,
// but addAll iterates over the other set without that set's lock. An add, remove or clear of the
// other set meanwhile changes the chain of nodes under the iteration: the check for such changes
// throws, or the iteration follows a node that is gone.
#include <initializer_list>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <unordered_set>

class SyncHashSet {
public:
  SyncHashSet(std::initializer_list<int> values) : values_(values) {}

  void add(int value) {
    std::lock_guard<std::mutex> guard(mutex_);
    if (values_.insert(value).second) // RACE: walk-add
      ++changes_;                     // RACE: check-add
  }

  void remove(int value) {
    std::lock_guard<std::mutex> guard(mutex_);
    if (values_.erase(value) != 0) // RACE: walk-remove
      ++changes_;                  // RACE: check-remove
  }

  void clear() {
    std::lock_guard<std::mutex> guard(mutex_);
    values_.clear(); // RACE: walk-clear
    ++changes_;      // RACE: check-clear
  }

  void addAll(SyncHashSet &other) {
    int changes = other.changes();
    for (int value : other.values_) { // EXPECT: memory-error // EXPECT: crash // RACE: walk-add, walk-remove, walk-clear
      if (other.changes_ != changes) // RACE: check-add, check-remove, check-clear
        throw std::logic_error("the set changed during addAll"); // EXPECT: exception
      add(value);
    }
  }

private:
  int changes() {
    std::lock_guard<std::mutex> guard(mutex_);
    return changes_;
  }

  std::mutex mutex_;
  std::unordered_set<int> values_;
  int changes_ = 0;
};

int main() {
  SyncHashSet readers{1, 2, 3};
  SyncHashSet writers{7, 8, 9};
  std::thread promote([&] { writers.addAll(readers); });
  std::thread demote([&] { readers.addAll(writers); });
  std::thread leave([&] {
    readers.remove(2);
    writers.remove(8);
  });
  std::thread reset([&] {
    writers.clear();
    readers.clear();
  });
  promote.join();
  demote.join();
  leave.join();
  reset.join();
}
