// Two object caches, each with a cleaner thread that sleeps between two passes, after cache4j. The
// flag that says that the cleaner sleeps and the request to wake it are kept under one mutex, and
// the cleaner takes the request back before it leaves the critical section in which it slept.
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>
#include <thread>

class Nap {
public:
  void sleep(std::chrono::milliseconds time) {
    std::unique_lock<std::mutex> lock(mutex_);
    sleeping_ = true;
    wakeUp_.wait_for(lock, time, [&] { return interrupted_; });
    sleeping_ = false;
    interrupted_ = false;
  }

  void interrupt() {
    std::lock_guard<std::mutex> guard(mutex_);
    if (!sleeping_)
      return;
    interrupted_ = true;
    wakeUp_.notify_all();
  }

private:
  std::mutex mutex_;
  std::condition_variable wakeUp_;
  bool sleeping_ = false;
  bool interrupted_ = false;
};

class Cache {
public:
  explicit Cache(std::size_t capacity) : capacity_(capacity) {}

  void put(int key, int value) {
    if (store(key, value) > capacity_)
      nap_.interrupt();
  }

  void runCleaner(int passes) {
    for (int pass = 0; pass < passes; ++pass) {
      nap_.sleep(std::chrono::milliseconds(1));
      clean();
    }
  }

private:
  std::size_t store(int key, int value) {
    std::lock_guard<std::mutex> guard(mutex_);
    entries_[key] = value;
    return entries_.size();
  }

  void clean() {
    std::lock_guard<std::mutex> guard(mutex_);
    while (entries_.size() > capacity_)
      entries_.erase(entries_.begin());
  }

  const std::size_t capacity_;
  std::mutex mutex_;
  std::map<int, int> entries_;
  Nap nap_;
};

static void browse(Cache &first, Cache &second, int key) {
  first.put(key, 1);
  second.put(key, 2);
}

int main() {
  Cache images(1);
  Cache pages(1);
  images.put(1, 0);
  pages.put(1, 0);
  std::thread imageCleaner([&] { images.runCleaner(2); });
  std::thread pageCleaner([&] { pages.runCleaner(2); });
  std::thread alice([&] { browse(images, pages, 2); });
  std::thread bob([&] { browse(pages, images, 3); });
  alice.join();
  bob.join();
  imageCleaner.join();
  pageCleaner.join();
}
