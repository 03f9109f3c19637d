// A page cache from which two threads evict. Loading the page pointer and clearing it are two
// atomic operations; both threads can get the same page, and it is deleted twice or read after it
// was.
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
    Page *page = page_.load();
    if (!page)
      return;
    page_.store(nullptr);
    used_.fetch_sub(page->bytes); // EXPECT: memory-error // RACE!
    delete page;                  // EXPECT: memory-error // RACE!
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
