// Ticket sales under a spin lock that was written with an atomic flag. Sale and refund hold it for
// all that they change; it has no name that a library knows.
#include <atomic>
#include <mutex>
#include <thread>

class SpinLock {
public:
  void lock() {
    while (taken_.exchange(true, std::memory_order_acquire))
      std::this_thread::yield();
  }
  void unlock() { taken_.store(false, std::memory_order_release); }

private:
  std::atomic<bool> taken_{false};
};

class BoxOffice {
public:
  void sell(int price) {
    std::lock_guard<SpinLock> guard(lock_);
    till_ += price; // NORACE
    ++sold_;        // NORACE
  }

  void refund(int price) {
    lock_.lock();
    --sold_;        // NORACE
    till_ -= price; // NORACE
    lock_.unlock();
  }

  int sold() {
    std::lock_guard<SpinLock> guard(lock_);
    return sold_; // NORACE
  }

  int till() const { return till_; } // NORACE

private:
  SpinLock lock_;
  int till_ = 0;
  int sold_ = 0;
};

int main() {
  BoxOffice office;
  std::thread left([&office] {
    for (int i = 0; i < 5; ++i)
      office.sell(10);
  });
  std::thread right([&office] {
    office.sell(10);
    office.refund(10);
  });
  left.join();
  right.join();
  return office.sold() == 5 && office.till() == 50 ? 0 : 1;
}
