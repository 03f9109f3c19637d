// Pattern 7: memory is left in an inconsistent state, because two units write the same two
// locations in opposite order and take turns. Both gates of a lock are set under two mutexes, which
// the lock-keeper and the pump keep until both are set.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

class Lock {
public:
  void fill(int level) {
    std::unique_lock<std::mutex> entry(entryMutex_);
    std::unique_lock<std::mutex> exit(exitMutex_);
    upper_.store(level); // NOVIOLATION
    lower_.store(level); // NOVIOLATION
  }

  void drain() {
    std::unique_lock<std::mutex> entry(entryMutex_);
    lower_.store(0); // NOVIOLATION
    std::unique_lock<std::mutex> exit(exitMutex_);
    upper_.store(0); // NOVIOLATION
  }

  bool isLevel() { return upper_.load() == lower_.load(); }

private:
  std::mutex entryMutex_;
  std::mutex exitMutex_;
  std::atomic<int> upper_{0};
  std::atomic<int> lower_{0};
};

int main() {
  Lock lock;
  std::thread keeper([&] { lock.fill(4); });
  std::thread pump([&] { lock.drain(); });
  keeper.join();
  pump.join();
  assert(lock.isLevel());
}
