// A hit counter that must not delay the request path, so it uses try_lock. When the mutex is taken
// the hit is silently dropped instead of being remembered; as soon as two threads meet at the
// counter, hits are missing.
#include <cassert>
#include <mutex>
#include <thread>

class HitCounter {
public:
  void hit() {
    if (!mutex_.try_lock())
      return;
    ++hits_;
    mutex_.unlock();
  }

  int hits() {
    std::lock_guard<std::mutex> guard(mutex_);
    return hits_;
  }

private:
  std::mutex mutex_;
  int hits_ = 0;
};

static void serve(HitCounter &counter, int requests) {
  for (int i = 0; i < requests; ++i)
    counter.hit();
}

int main() {
  HitCounter counter;
  std::thread left([&] { serve(counter, 2); });
  std::thread right([&] { serve(counter, 2); });
  left.join();
  right.join();
  assert(counter.hits() == 4); // EXPECT: assertion
}
