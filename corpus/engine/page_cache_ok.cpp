// A page cache from which two threads evict. One atomic exchange takes the page out of the cache,
// so exactly one of them gets it, reads it and deletes it.
#include <atomic>
#include <cassert>
#include <thread>

struct Page {
  int bytes = 4096;
};

class PageCache {
public:
  PageCache() : page_(new Page), used_(4096) {}
  ~PageCache() { evict(); }

  void evict() {
    Page *page = page_.exchange(nullptr);
    if (!page)
      return;
    used_.fetch_sub(page->bytes); // NORACE
    delete page;                  // NORACE
  }

  int used() const { return used_.load(); }

private:
  std::atomic<Page *> page_;
  std::atomic<int> used_;
};

int main() {
  PageCache cache;
  std::thread memoryPressure([&] { cache.evict(); });
  std::thread invalidation([&] { cache.evict(); });
  memoryPressure.join();
  invalidation.join();
  assert(cache.used() == 0);
}
