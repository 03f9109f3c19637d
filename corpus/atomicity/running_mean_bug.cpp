// heddle-corpus: long=-DSTEPS=1000
// Statistics with a sum and a count, each method locked. mean takes the sum and then the count;
// a reset in between leaves a sum of something over a count of nothing.
#include <cassert>
#include <mutex>
#include <thread>

#ifndef STEPS
#define STEPS 0 // unrelated steps in the window
#endif

class Log {
public:
  void write(int lines) {
    for (int i = 0; i < lines; ++i) {
      std::lock_guard<std::mutex> guard(mutex_);
      ++lines_;
    }
  }

private:
  std::mutex mutex_;
  int lines_ = 0;
};

static Log reportLog, resetLog;

class Statistics {
public:
  void add(int value) {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    sum_ += value;
    ++count_;
  }

  void reset() {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    sum_ = 0; // VIOLATION: mean/9 intruder
    count_ = 0; // VIOLATION: mean/9 intruder
  }

  int sum() const {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    return sum_; // VIOLATION: mean/9 first
  }

  int count() const {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    return count_; // VIOLATION: mean/9 second
  }

  int mean() const {
    int total = sum();
    if (total == 0)
      return 0;
    reportLog.write(STEPS);
    int values = count();
    assert(values != 0); // EXPECT: assertion
    return total / values;
  }

private:
  mutable std::recursive_mutex mutex_;
  int sum_ = 0;
  int count_ = 0;
};

int main() {
  Statistics latency;
  latency.add(30);
  latency.add(50);
  std::thread report([&] {
    reportLog.write(STEPS + STEPS / 16);
    int mean = latency.mean();
    assert(mean == 40 || mean == 0);
  });
  std::thread rotation([&] {
    resetLog.write(STEPS);
    latency.reset();
  });
  report.join();
  rotation.join();
}
