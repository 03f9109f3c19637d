// Detached threads that nobody joins: main counts them down and waits for the last one with a
// condition variable whose notification happens under the lock.
#include <cassert>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace {

class Countdown {
public:
  void add() {
    std::lock_guard<std::mutex> guard(mutex_);
    ++running_;
  }
  void done() {
    std::lock_guard<std::mutex> guard(mutex_);
    if (--running_ == 0)
      none_.notify_all();
  }
  void wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    none_.wait(lock, [this] { return running_ == 0; });
  }
  void waitBelow(int limit) {
    for (;;) {
      {
        std::lock_guard<std::mutex> guard(mutex_);
        if (running_ < limit)
          return;
      }
      std::this_thread::yield();
    }
  }

private:
  std::mutex mutex_;
  std::condition_variable none_;
  int running_ = 0;
};

// They outlive main's stack, as the threads' last instructions may.
Countdown countdown;
std::mutex sumMutex;
long sum = 0;

void work(int number) {
  for (int i = 0; i < 10; ++i) {
    std::lock_guard<std::mutex> guard(sumMutex);
    sum += number;
  }
  countdown.done();
}

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 1000;
  for (int i = 1; i <= rounds; ++i) {
    countdown.waitBelow(8);
    countdown.add();
    std::thread(work, i).detach();
  }
  countdown.wait();
  std::lock_guard<std::mutex> guard(sumMutex);
  assert(sum == 5L * rounds * (rounds + 1));
}
