// heddle-corpus: long=-DSTEPS=1000
// A cache of one price in front of a slow store. A look-up that misses reads the store and then
// fills the slot; a change of the price in between finds nothing to invalidate, and the slot is
// filled with the old price for good.
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
  explicit Cache(const Store &store) : store_(store) {}

  int price() {
    {
      std::lock_guard<std::mutex> guard(mutex_);
      if (filled_) // VIOLATION: stale/1 first
        return price_;
    }
    int price = store_.read();
    shopMeter.count(STEPS);
    std::lock_guard<std::mutex> guard(mutex_);
    price_ = price;
    filled_ = true; // VIOLATION: stale/1 second
    return price;
  }

  void invalidate() {
    std::lock_guard<std::mutex> guard(mutex_);
    filled_ = false; // VIOLATION: stale/1 intruder
  }

private:
  const Store &store_;
  std::mutex mutex_;
  bool filled_ = false;
  int price_ = 0;
};

static void changePrice(Store &store, Cache &cache, int price) {
  store.write(price);
  cache.invalidate();
}

int main() {
  Store store;
  Cache cache(store);
  std::thread shop([&] {
    shopMeter.count(STEPS + STEPS / 16);
    int price = cache.price();
    assert(price == 100 || price == 120);
  });
  std::thread office([&] {
    officeMeter.count(STEPS);
    changePrice(store, cache, 120);
  });
  shop.join();
  office.join();
  assert(cache.price() == 120); // EXPECT: assertion
}
