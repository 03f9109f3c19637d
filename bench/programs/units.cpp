// Two units of work on one object, each at most once in 10 microseconds. The pattern that the bench
// is directed at never ends: the second write of `advance` is never made.
#include <cstdlib>
#include <mutex>
#include <thread>

class Progress {
public:
  void advance(long value) {
    {
      std::lock_guard lock(mutex_);
      begun_ = value;
    }
    std::lock_guard lock(mutex_);
    if (value < 0)
      ended_ = value;
  }
  bool isEven() {
    std::lock_guard lock(mutex_);
    return begun_ == ended_;
  }

private:
  std::mutex mutex_;
  long begun_ = 0;
  long ended_ = 0;
};

Progress progress;

static unsigned work(unsigned seed) {
  for (int i = 0; i < 6000; ++i) { // nothing that a compiler could do at once
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
  }
  return seed;
}

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 1;
  unsigned sums[2] = {1, 2};
  std::thread writer([&] {
    for (int i = 0; i < rounds; ++i) {
      sums[0] = work(sums[0]);
      progress.advance(i);
    }
  });
  std::thread reader([&] {
    for (int i = 0; i < rounds; ++i) {
      sums[1] = work(sums[1]);
      (void)progress.isEven();
    }
  });
  writer.join();
  reader.join();
  return sums[0] == 0 && sums[1] == 0;
}
