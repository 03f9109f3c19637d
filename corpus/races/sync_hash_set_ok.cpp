// Two synchronized hash sets, after Java's synchronized HashSet. Every method locks its own set,
// and addAll takes a copy of the other set under that set's lock before it adds the values to its
// own. No thread holds two locks at once.
#include <initializer_list>
#include <mutex>
#include <thread>
#include <unordered_set>
#include <vector>

class SyncHashSet {
public:
  SyncHashSet(std::initializer_list<int> values) : values_(values) {}

  void add(int value) {
    std::lock_guard<std::mutex> guard(mutex_);
    values_.insert(value);
  }

  void remove(int value) {
    std::lock_guard<std::mutex> guard(mutex_);
    values_.erase(value);
  }

  void clear() {
    std::lock_guard<std::mutex> guard(mutex_);
    values_.clear();
  }

  void addAll(SyncHashSet &other) {
    for (int value : other.snapshot())
      add(value);
  }

private:
  std::vector<int> snapshot() {
    std::lock_guard<std::mutex> guard(mutex_);
    return std::vector<int>(values_.begin(), values_.end());
  }

  std::mutex mutex_;
  std::unordered_set<int> values_;
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
