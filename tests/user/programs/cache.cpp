// A cache in which every access is locked and an entry can still be loaded twice: whether it is
// there and loading it are two critical sections.
#include <cassert>
#include <map>
#include <mutex>
#include <thread>

class Cache {
public:
  int get(int key) {
    if (!contains(key))
      insert(key, key * key);
    std::lock_guard lock(mutex_);
    return values_[key];
  }

private:
  bool contains(int key) {
    std::lock_guard lock(mutex_);
    return values_.count(key) != 0; // LOOK
  }
  void insert(int key, int value) {
    std::lock_guard lock(mutex_);
    values_[key] = value; // LOAD
    ++loads_;
    assert(loads_ == static_cast<int>(values_.size()) && "loaded twice"); // FAIL
  }

  std::mutex mutex_;
  std::map<int, int> values_;
  int loads_ = 0;
};

int main() {
  Cache cache;
  std::thread one([&] { cache.get(7); });
  std::thread two([&] { cache.get(7); });
  one.join();
  two.join();
}
