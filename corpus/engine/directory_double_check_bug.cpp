// A lazily made directory with double-checked locking. The pointer is published before the
// directory is loaded (and without any ordering), so a thread that finds it set by the first,
// unlocked check uses an empty directory.
#include <cassert>
#include <mutex>
#include <thread>

class Directory {
public:
  static Directory *instance() {
    if (!instance_) { // RACE!
      std::lock_guard<std::mutex> guard(mutex_);
      if (!instance_) {
        instance_ = new Directory; // RACE!
        instance_->load();
      }
    }
    return instance_; // RACE!
  }

  int entries() const { return entries_; } // RACE!

private:
  void load() { entries_ = 3; } // RACE!

  int entries_ = 0; // RACE!
  static inline std::mutex mutex_;
  static inline Directory *instance_ = nullptr;
};

int main() {
  auto look = [] {
    assert(Directory::instance()->entries() == 3); // EXPECT: assertion
  };
  std::thread first(look);
  std::thread second(look);
  first.join();
  second.join();
}
