// heddle-corpus: long=-DSTEPS=1000
// A list of sensor readings, each method locked. latest takes the size and then the element with
// the last index; when the list is emptied in between, there is no such element.
#include <atomic>
#include <cassert>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

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

static Meter displayMeter, sensorMeter;

class Readings {
public:
  void add(int reading) {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    readings_.push_back(reading);
  }

  void clear() {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    readings_.clear(); // VIOLATION: last/2 intruder
  }

  std::size_t size() const {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    return readings_.size(); // VIOLATION: last/2 first
  }

  int at(std::size_t index) const {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    return readings_.at(index); // EXPECT: exception // VIOLATION: last/2 second
  }

private:
  mutable std::recursive_mutex mutex_;
  std::vector<int> readings_;
};

static int latest(const Readings &readings) {
  std::size_t size = readings.size();
  if (size == 0)
    return -1;
  displayMeter.count(STEPS);
  return readings.at(size - 1);
}

int main() {
  Readings readings;
  readings.add(20);
  readings.add(21);
  std::thread display([&] {
    displayMeter.count(STEPS + STEPS / 16);
    int reading = latest(readings);
    assert(reading == 21 || reading == -1);
  });
  std::thread sensor([&] {
    sensorMeter.count(STEPS);
    readings.clear();
  });
  display.join();
  sensor.join();
}
