// An event loop that sleeps in poll() on a pipe; post() writes a byte unless the loop is marked as
// awake. The loop clears the mark before it takes the events, so an event that it misses writes a
// byte; at worst the loop wakes up once for nothing.
#include <atomic>
#include <cassert>
#include <deque>
#include <mutex>
#include <poll.h>
#include <thread>
#include <unistd.h>
#include <utility>

class EventLoop {
public:
  static constexpr int stopEvent = 0;

  EventLoop() {
    int status = pipe(wakeUp_);
    assert(status == 0);
  }
  ~EventLoop() {
    close(wakeUp_[0]);
    close(wakeUp_[1]);
  }

  void post(int event) {
    {
      std::lock_guard<std::mutex> guard(mutex_);
      events_.push_back(event); // NORACE
    }
    if (!awake_.exchange(true)) {
      ssize_t written = write(wakeUp_[1], "w", 1);
      assert(written == 1);
    }
  }

  int run() {
    int handled = 0;
    for (;;) {
      pollfd readable = {wakeUp_[0], POLLIN, 0};
      if (poll(&readable, 1, 20) == 0)
        continue;
      char byte;
      ssize_t got = read(wakeUp_[0], &byte, 1);
      assert(got == 1);
      awake_.store(false);
      std::deque<int> events = takeAll();
      for (int event : events) {
        if (event == stopEvent)
          return handled;
        ++handled;
      }
    }
  }

private:
  std::deque<int> takeAll() {
    std::lock_guard<std::mutex> guard(mutex_);
    return std::exchange(events_, {}); // NORACE
  }

  int wakeUp_[2];
  std::mutex mutex_;
  std::deque<int> events_;
  std::atomic<bool> awake_{false};
};

int main() {
  EventLoop loop;
  int handled = 0;
  std::thread reactor([&] { handled = loop.run(); });
  std::thread client([&] {
    loop.post(1);
    loop.post(EventLoop::stopEvent);
  });
  reactor.join();
  client.join();
  assert(handled == 1);
}
