// A unit of work that is torn in two ways: the statistics may be wrong, which breaks nothing, and
// an update is lost, which does. With ORDER nothing is torn that matters: the reader comes too
// early.
#include <cassert>
#include <mutex>
#include <thread>

class Service {
public:
  void handle() {
    long before = requests();
    work();
    count(before);
  }
  int done() const { return done_; }

private:
  long requests() {
    std::lock_guard lock(statistics_);
    return requests_;
  }
  void count(long before) {
    std::lock_guard lock(statistics_);
    requests_ = before + 1;
  }
#ifdef ORDER
  void work() {}
#else
  void work() {
    int seen = 0;
    {
      std::lock_guard lock(mutex_);
      seen = done_; // LOOK
    }
    std::lock_guard lock(mutex_);
    done_ = seen + 1; // WRITE
  }
#endif

  std::mutex statistics_;
  std::mutex mutex_;
  long requests_ = 0;
  int done_ = 0;
};

class Box {
public:
  void put() {
    std::lock_guard lock(mutex_);
    full_ = true;
  }
  void take() {
    std::lock_guard lock(mutex_);
    assert(full_ && "taken too early");
  }

private:
  std::mutex mutex_;
  bool full_ = false;
};

int main() {
  Service service;
  Box box;
  std::thread one([&] {
    service.handle();
    box.put();
    service.handle();
  });
  std::thread two([&] {
    service.handle();
#ifdef ORDER
    box.take();
#endif
    service.handle();
  });
  one.join();
  two.join();
#ifndef ORDER
  assert(service.done() == 4 && "an update was lost");
#endif
}
