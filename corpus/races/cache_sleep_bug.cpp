// Two object caches, each with a cleaner thread that sleeps between two passes, after cache4j. A
// client that overfills a cache interrupts the cleaner if the plain flag says that it sleeps, but
// the cleaner expects an interruption only inside the sleep. If it wakes by itself between the test
// and the interruption, or has raised the flag and does not sleep yet, the exception that stands
// for the interruption comes where nobody catches it.
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>
#include <thread>

struct Interrupted {};

class Interruption {
public:
  void interrupt() {
    std::lock_guard<std::mutex> guard(mutex_);
    interrupted_ = true;
    wakeUp_.notify_all();
  }

  void sleep(std::chrono::milliseconds time) {
    std::unique_lock<std::mutex> lock(mutex_);
    wakeUp_.wait_for(lock, time, [&] { return interrupted_; });
    throwIfSet();
  }

  void poll() {
    std::lock_guard<std::mutex> guard(mutex_);
    throwIfSet();
  }

private:
  void throwIfSet() {
    if (!interrupted_)
      return;
    interrupted_ = false;
    throw Interrupted(); // EXPECT: exception
  }

  std::mutex mutex_;
  std::condition_variable wakeUp_;
  bool interrupted_ = false;
};

class Cache {
public:
  explicit Cache(std::size_t capacity) : capacity_(capacity) {}

  void put(int key, int value) {
    if (store(key, value) > capacity_)
      wakeCleaner();
  }

  void runCleaner(int passes) {
    for (int pass = 0; pass < passes; ++pass) {
      sleeping_ = true; // RACE: test-true
      interruption_.poll();
      try {
        interruption_.sleep(std::chrono::milliseconds(1));
      } catch (const Interrupted &) {
      }
      sleeping_ = false; // RACE: test-false
      clean();
    }
  }

private:
  std::size_t store(int key, int value) {
    std::lock_guard<std::mutex> guard(mutex_);
    entries_[key] = value;
    return entries_.size();
  }

  void wakeCleaner() {
    if (sleeping_) // RACE: test-true, test-false
      interruption_.interrupt();
  }

  void clean() {
    interruption_.poll();
    std::lock_guard<std::mutex> guard(mutex_);
    while (entries_.size() > capacity_)
      entries_.erase(entries_.begin());
  }

  const std::size_t capacity_;
  std::mutex mutex_;
  std::map<int, int> entries_;
  Interruption interruption_;
  bool sleeping_ = false;
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
