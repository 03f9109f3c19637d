// A stress test: threads fill a small cache, whose size is looked at and reduced under two locks.
#include <cassert>
#include <cstdlib>
#include <list>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

class Cache {
public:
  void put(int key, int value) {
    if (add(key, value) && size() > kMost)
      removeOldest();
  }

private:
  static constexpr size_t kMost = 8;

  bool add(int key, int value) {
    std::lock_guard<std::mutex> guard(mutex_);
    if (!values_.emplace(key, value).second)
      return false;
    keys_.push_back(key);
    return true;
  }
  size_t size() {
    std::lock_guard<std::mutex> guard(mutex_);
    return values_.size();
  }
  void removeOldest() {
    std::lock_guard<std::mutex> guard(mutex_);
    assert(values_.size() > kMost && "removes too much");
    values_.erase(keys_.front());
    keys_.pop_front();
  }

  std::mutex mutex_;
  std::map<int, int> values_;
  std::list<int> keys_;
};

int main(int, char** arguments) {
  int rounds = atoi(arguments[1]);
  Cache cache;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&cache, t, rounds] {
      unsigned key = static_cast<unsigned>(t) * 7919 + 1;
      for (int i = 0; i < rounds; ++i) {
        key = key * 1664525 + 1013904223;
        cache.put(static_cast<int>(key >> 16) % 48, i);
      }
    });
  for (std::thread& thread : threads)
    thread.join();
}
