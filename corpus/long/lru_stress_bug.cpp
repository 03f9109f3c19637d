// A stress test of a cache that forgets what was used least recently: four threads, 100,000 locked
// operations. A reader looks whether a page is there and gets it in a second critical section: in
// between, another thread may have added a page for which this one had to go.
#include <cassert>
#include <list>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

#ifndef ROUNDS
#define ROUNDS 15000
#endif

class PageCache {
public:
  bool contains(unsigned page) {
    std::lock_guard<std::mutex> guard(mutex_);
    return entries_.count(page) != 0;
  }

  unsigned get(unsigned page) {
    std::lock_guard<std::mutex> guard(mutex_);
    auto entry = entries_.find(page);
    assert(entry != entries_.end()); // EXPECT: assertion
    order_.splice(order_.begin(), order_, entry->second);
    return entry->second->second;
  }

  void put(unsigned page, unsigned content) {
    std::lock_guard<std::mutex> guard(mutex_);
    if (entries_.count(page) != 0)
      return;
    if (entries_.size() == kCapacity) {
      entries_.erase(order_.back().first);
      order_.pop_back();
    }
    order_.emplace_front(page, content);
    entries_[page] = order_.begin();
  }

private:
  static constexpr std::size_t kCapacity = 512;

  std::mutex mutex_;
  std::list<std::pair<unsigned, unsigned>> order_;
  std::unordered_map<unsigned, std::list<std::pair<unsigned, unsigned>>::iterator> entries_;
};

static unsigned load(unsigned page) {
  for (int i = 0; i < 30000; ++i)
    page = page * 1664525u + 1013904223u;
  return page;
}

static void readPages(PageCache& cache, unsigned seed, unsigned& sum) {
  for (unsigned i = 0; i < ROUNDS; ++i) {
    seed = seed * 1664525u + 1013904223u;
    unsigned page = (seed >> 16) % 640;
    if (cache.contains(page)) {
      sum += cache.get(page);
      continue;
    }
    unsigned content = load(page);
    cache.put(page, content);
    sum += content;
  }
}

int main() {
  PageCache cache;
  unsigned sums[4] = {};
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 4; ++i)
    threads.emplace_back(readPages, std::ref(cache), i * 7919 + 1, std::ref(sums[i]));
  for (std::thread& thread : threads)
    thread.join();
}
