// A lazily made directory with double-checked locking. The directory is loaded completely before
// the atomic pointer is published, and the release store and the acquire load order the two.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

class Directory {
public:
  static Directory *instance() {
    Directory *found = instance_.load(std::memory_order_acquire);
    if (found)
      return found;
    std::lock_guard<std::mutex> guard(mutex_);
    if (!instance_.load(std::memory_order_relaxed)) {
      static Directory directory;
      directory.load();
      instance_.store(&directory, std::memory_order_release);
    }
    return instance_.load(std::memory_order_relaxed);
  }

  int entries() const { return entries_; } // NORACE

private:
  void load() { entries_ = 3; } // NORACE

  int entries_ = 0;
  static inline std::mutex mutex_;
  static inline std::atomic<Directory *> instance_{nullptr};
};

int main() {
  auto look = [] { assert(Directory::instance()->entries() == 3); };
  std::thread first(look);
  std::thread second(look);
  first.join();
  second.join();
}
