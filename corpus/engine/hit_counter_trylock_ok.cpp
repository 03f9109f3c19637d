// A hit counter that must not delay the request path, so it uses try_lock. Hits that find the mutex
// taken stay in the caller's backlog, and the caller adds the rest with a blocking lock at its end.
#include <cassert>
#include <mutex>
#include <thread>

class HitCounter {
public:
  bool tryAdd(int count) {
    std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock())
      return false;
    hits_ += count; // NORACE
    return true;
  }

  void add(int count) {
    std::lock_guard<std::mutex> guard(mutex_);
    hits_ += count; // NORACE
  }

  int hits() {
    std::lock_guard<std::mutex> guard(mutex_);
    return hits_; // NORACE
  }

private:
  std::mutex mutex_;
  int hits_ = 0;
};

static void serve(HitCounter &counter, int requests) {
  int backlog = 0;
  for (int i = 0; i < requests; ++i)
    if (counter.tryAdd(backlog + 1))
      backlog = 0;
    else
      ++backlog;
  counter.add(backlog);
}

int main() {
  HitCounter counter;
  std::thread left([&] { serve(counter, 2); });
  std::thread right([&] { serve(counter, 2); });
  left.join();
  right.join();
  assert(counter.hits() == 4);
}
