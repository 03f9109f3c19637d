// heddle-corpus: long=-DSTEPS=1000
// The reply of a server holds its raw bytes and their number, after the web server jigsaw (figure
// 10 of Lai, Cheung and Chan). Both are filled lazily, in one critical section, so that they always
// belong to the same request.
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstring>
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

class Reply {
public:
  void fill(const char *page, Meter &meter) {
    std::lock_guard<std::mutex> guard(mutex_);
    raw_ = page; // NOVIOLATION
    meter.count(STEPS);
    std::size_t length = std::strlen(page);
    rawLength_ = length; // NOVIOLATION
  }

  bool isComplete() const {
    std::lock_guard<std::mutex> guard(mutex_);
    return std::strlen(raw_) == rawLength_;
  }

private:
  mutable std::mutex mutex_;
  const char *raw_ = "";
  std::size_t rawLength_ = 0;
};

int main() {
  Reply reply;
  Meter meters[2];
  std::thread first([&] { reply.fill("not found", meters[0]); });
  std::thread second([&] {
    meters[1].count(STEPS / 12);
    reply.fill("moved permanently", meters[1]);
  });
  first.join();
  second.join();
  assert(reply.isComplete());
}
