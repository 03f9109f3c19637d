// A class that makes a lock of std::atomic_flag, whose members take the order as an argument.
// RACY: test_and_set(std::memory_order_acquire) => test_and_set(std::memory_order_relaxed)
// RACY: clear(std::memory_order_release) => clear(std::memory_order_relaxed)
// RACY: while (flag_ => if (flag_
// RACY: while (yielding_ => while (!yielding_
#include <atomic>
#include <mutex>
#include <thread>

class Lock {
public:
  void lock() {
    while (flag_.test_and_set(std::memory_order_acquire)) {
    }
  }
  void unlock() { flag_.clear(std::memory_order_release); }

private:
  std::atomic_flag flag_ = ATOMIC_FLAG_INIT;
};

class YieldingLock {
public:
  void lock() {
    while (yielding_.test_and_set())
      std::this_thread::yield();
  }
  void unlock() { yielding_.clear(); }

private:
  std::atomic_flag yielding_ = ATOMIC_FLAG_INIT;
};

static Lock lock;
static YieldingLock yieldingLock;
static int count, other;

static void add() {
  {
    std::lock_guard guard(lock);
    ++count;
  }
  std::lock_guard guard(yieldingLock);
  ++other;
}

int main() {
  std::thread left(add), right(add);
  left.join();
  right.join();
  return count + other;
}
