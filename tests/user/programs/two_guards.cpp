/// A tank whose lock each function takes at two places: which of them holds it at an access is told
/// by the acquisition.
#include <cassert>
#include <mutex>
#include <thread>

class Level {
public:
  void fill(int amount) {
    int now = 0;
    {
      std::lock_guard guard(mutex_); // FIRST LOCK
      now = level_;                  // FIRST
    }
    std::lock_guard guard(mutex_); // SECOND LOCK
    level_ = now + amount;         // SECOND
  }
  int level() {
    std::lock_guard guard(mutex_);
    return level_;
  }

private:
  std::mutex mutex_;
  int level_ = 0;
};

int main() {
  Level level;
  std::thread one([&] { level.fill(1); });
  std::thread two([&] { level.fill(2); });
  one.join();
  two.join();
  assert(level.level() == 3);
}
