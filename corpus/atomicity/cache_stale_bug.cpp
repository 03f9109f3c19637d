// heddle-corpus: long=-DSTEPS=1000
// A cache of one price with tax in front of a store. A look-up that misses reads the store, adds
// the tax, and fills the slot in another critical section; a change of the price in between finds
// nothing to invalidate, and the slot is filled with the old price for good.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

#ifndef STEPS
#define STEPS 0 // unrelated steps in the window
#endif

class Meter {
public:
  void count(int steps) {
    for (int i = 0; i < steps; ++i)
      steps_.fetch_add(1);
  }

private:
  std::atomic<int> steps_{0};
};

static Meter shopMeter, officeMeter;

class Store {
public:
  int read() const { return price_.load(); }
  void write(int price) { price_.store(price); }

private:
  std::atomic<int> price_{100};
};

class Cache {
public:
  explicit Cache(Store &store) : store_(store) {}

  int price() {
    std::unique_lock<std::mutex> guard(mutex_);
    if (filled_) // VIOLATION: stale/1 first
      return price_;
    int price = store_.read();
    guard.unlock();
    price += price / 5;
    shopMeter.count(STEPS);
    guard.lock();
    price_ = price;
    filled_ = true; // VIOLATION: stale/1 second
    return price;
  }

  void changePrice(int price) {
    std::lock_guard<std::mutex> guard(mutex_);
    store_.write(price);
    filled_ = false; // VIOLATION: stale/1 intruder
  }

private:
  Store &store_;
  std::mutex mutex_;
  bool filled_ = false;
  int price_ = 0;
};

int main() {
  Store store;
  Cache cache(store);
  std::thread shop([&] {
    shopMeter.count(STEPS + STEPS / 16);
    int price = cache.price();
    assert(price == 120 || price == 180);
  });
  std::thread office([&] {
    officeMeter.count(STEPS);
    cache.changePrice(150);
  });
  shop.join();
  office.join();
  assert(cache.price() == 180); // EXPECT: assertion
}
