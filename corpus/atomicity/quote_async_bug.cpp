// Tasks of std::async ask for a quote that is fetched by the first of them. Every access is locked,
// but not while it is fetched: two tasks fetch it.
#include <cassert>
#include <future>
#include <mutex>

class Quotes {
public:
  int quote() {
    std::unique_lock<std::mutex> lock(mutex_);
    if (fetched_ == 0) { // VIOLATION: fetched/1,2 first
      lock.unlock();
      fetch();
      lock.lock();
      fetched_ += 1; // VIOLATION: fetched/1,2 second // VIOLATION: fetched/1,2 intruder
    }
    return kPrice;
  }

  int fetched() {
    std::lock_guard<std::mutex> guard(mutex_);
    return fetched_;
  }

private:
  static constexpr int kPrice = 100;
  static void fetch() {}

  std::mutex mutex_;
  int fetched_ = 0;
};

int main() {
  Quotes quotes;
  std::future<int> first = std::async(std::launch::async, [&] { return quotes.quote(); });
  std::future<int> second = std::async(std::launch::async, [&] { return quotes.quote(); });
  first.get();
  second.get();
  assert(quotes.fetched() == 1); // EXPECT: assertion
}
