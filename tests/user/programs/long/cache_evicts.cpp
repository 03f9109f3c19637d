// Bug: a cache tests its size under one lock and evicts under the next; a stress test of four
// threads.
#include <cassert>
#include <cstdlib>
#include <list>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>
class Cache {
public:
  explicit Cache(size_t capacity) : capacity_(capacity) {}
  void put(int key, int value) {
    insert(key, value);
    if (size() > capacity_)
      evict();
  }

private:
  using Entries = std::list<std::pair<int, int>>;
  void insert(int key, int value) {
    std::lock_guard<std::mutex> guard(mutex_);
    if (auto found = places_.find(key); found != places_.end()) {
      found->second->second = value;
      entries_.splice(entries_.begin(), entries_, found->second);
      return;
    }
    entries_.emplace_front(key, value);
    places_[key] = entries_.begin();
  }
  size_t size() {
    std::lock_guard<std::mutex> guard(mutex_);
    return places_.size();
  }
  void evict() {
    std::lock_guard<std::mutex> guard(mutex_);
    assert(places_.size() > capacity_ && "evicts too much");
    places_.erase(entries_.back().first);
    entries_.pop_back();
  }
  size_t capacity_;
  std::mutex mutex_;
  Entries entries_;
  std::unordered_map<int, Entries::iterator> places_;
};
int main(int, char** arguments) {
  int rounds = std::atoi(arguments[1]);
  Cache cache(16);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      unsigned state = t * 7919 + 1;
      for (int i = 0; i < rounds; ++i) {
        state = state * 1664525u + 1013904223u;
        cache.put((state >> 16) % 64, i);
      }
    });
  for (auto& thread : threads)
    thread.join();
}
