// Two units of work are torn at the same sites: both read the members through the same functions.
#include <heddle/heddle.h>
#include <mutex>
#include <thread>

class Disk {
public:
  Disk() {
    HEDDLE_ATOMIC_SET(used_, "space");
    HEDDLE_ATOMIC_SET(free_, "space");
  }
  void move(long size) {
    std::lock_guard lock(mutex_);
    used_ += size;
    free_ -= size;
  }
  long percent() {
    long before = used();
    return 100 * before / (before + free());
  }
  bool full() {
    long before = used();
    return before > 9 * free();
  }

private:
  long used() {
    std::lock_guard lock(mutex_);
    return used_;
  }
  long free() {
    std::lock_guard lock(mutex_);
    return free_;
  }
  std::mutex mutex_;
  long used_ = 10;
  long free_ = 90;
};

int main() {
  Disk disk;
  long percent = 0;
  bool full = false;
  std::thread mover([&] { disk.move(10); });
  std::thread reader([&] {
    percent = disk.percent();
    full = disk.full();
  });
  mover.join();
  reader.join();
  return percent < 0 || full;
}
