// heddle-corpus: long=-DSTEPS=1000
// A set of port numbers in which contains and add are locked. addIfAbsent calls one and then the
// other; two threads that both find the port absent both add it, and the set has it twice.
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

class PortSet {
public:
  bool contains(int port) const {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    int count = count_; // VIOLATION: absent/1,2 first
    for (int i = 0; i < count; ++i)
      if (ports_[i] == port)
        return true;
    return false;
  }

  void add(int port) {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    int count = count_; // VIOLATION: absent/1,2 second
    assert(count < capacity);
    ports_[count] = port;
    count_ = count + 1; // VIOLATION: absent/1,2 second // VIOLATION: absent/1,2 intruder
  }

  void addIfAbsent(int port, Meter &meter) {
    if (contains(port))
      return;
    meter.count(STEPS);
    add(port);
  }

  int size() const {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    return count_;
  }

private:
  static constexpr int capacity = 8;
  mutable std::recursive_mutex mutex_;
  int count_ = 0;
  int ports_[capacity] = {};
};

int main() {
  PortSet ports;
  Meter meters[2];
  ports.add(22);
  std::thread first([&] { ports.addIfAbsent(443, meters[0]); });
  std::thread second([&] {
    meters[1].count(STEPS + STEPS / 16);
    ports.addIfAbsent(443, meters[1]);
  });
  first.join();
  second.join();
  assert(ports.size() == 2); // EXPECT: assertion
}
