// Pattern 7: memory is left in an inconsistent state, because two units write the same two
// locations in opposite order and take turns. Both gates of a lock are set under two mutexes, and
// the lock-keeper gives up the first too early: the pump can set the second gate, waits, and then
// sets the first. None of the two can come in between the two writes of the other as a whole.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

class Lock {
public:
  void fill(int level) {
    std::unique_lock<std::mutex> entry(entryMutex_);
    std::unique_lock<std::mutex> exit(exitMutex_);
    upper_.store(level); // VIOLATION: gates/7 first
    entry.unlock();
    lower_.store(level); // VIOLATION: gates/7 second
  }

  void drain() {
    std::unique_lock<std::mutex> entry(entryMutex_);
    lower_.store(0); // VIOLATION: gates/7 intruder
    std::unique_lock<std::mutex> exit(exitMutex_);
    upper_.store(0); // VIOLATION: gates/7 intruder
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
  assert(lock.isLevel()); // EXPECT: assertion
}
