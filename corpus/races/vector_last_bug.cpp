// Two growable vectors, after Java's Vector. lastElement reads the size and then the element
// without the lock. When the vector is emptied between, the index is out of range; when it grows,
// the element is read from the array that was given back.
#include <atomic>
#include <cassert>
#include <cstddef>
#include <initializer_list>
#include <mutex>
#include <thread>
#include <vector>

class Vector {
public:
  Vector(std::initializer_list<int> elements) : elements_(elements) {}

  void addElement(int element) {
    std::lock_guard<std::mutex> guard(mutex_);
    elements_.push_back(element); // RACE: size-add, last-add
  }

  void removeAllElements() {
    std::lock_guard<std::mutex> guard(mutex_);
    elements_.clear(); // RACE: size-clear, last-clear
  }

  int lastElement(int otherwise) {
    std::size_t count = elements_.size(); // RACE: size-add, size-clear
    if (count == 0)
      return otherwise;
    countLook();
    return elements_.at(count - 1); // EXPECT: exception // EXPECT: memory-error // RACE: last-add, last-clear
  }

private:
  void countLook() {
    std::lock_guard<std::mutex> guard(looksMutex_);
    ++looks_;
  }

  std::mutex looksMutex_;
  int looks_ = 0;
  std::mutex mutex_;
  std::vector<int> elements_;
};

static std::atomic<int> display{0};

static void watch(Vector &first, Vector &second) {
  display.store(first.lastElement(0));
  display.store(second.lastElement(0));
}

int main() {
  Vector pressures{980, 1013};
  Vector altitudes{110, 540};
  std::thread pilot([&] { watch(pressures, altitudes); });
  std::thread copilot([&] { watch(altitudes, pressures); });
  std::thread sensor([&] {
    pressures.addElement(1005);
    altitudes.addElement(610);
  });
  std::thread landing([&] {
    altitudes.removeAllElements();
    pressures.removeAllElements();
  });
  pilot.join();
  copilot.join();
  sensor.join();
  landing.join();
  int pressure = pressures.lastElement(0);
  assert(pressure == 0 || pressure == 1005);
}
