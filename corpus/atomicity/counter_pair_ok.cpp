// heddle-corpus: long=-DSTEPS=1000
// Two counters of a network interface, packets and bytes. All packets have the same size.
// Both counters are atomic, and a lock keeps the two steps of counting and the two of a report
// together.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

#ifndef STEPS
#define STEPS 0 // unrelated steps in the window
#endif

constexpr long packetSize = 1500;

class Meter {
public:
  void count(int steps) {
    for (int i = 0; i < steps; ++i)
      steps_.fetch_add(1);
  }

private:
  std::atomic<int> steps_{0};
};

static Meter reportMeter, receiveMeter;

class Interface {
public:
  struct Traffic {
    long packets;
    long bytes;
  };

  void receive(long size) {
    std::lock_guard<std::mutex> guard(mutex_);
    packets_.fetch_add(1); // NOVIOLATION
    bytes_.fetch_add(size); // NOVIOLATION
  }

  Traffic report() {
    std::lock_guard<std::mutex> guard(mutex_);
    Traffic traffic;
    traffic.packets = packets_.load(); // NOVIOLATION
    reportMeter.count(STEPS);
    traffic.bytes = bytes_.load(); // NOVIOLATION
    return traffic;
  }

private:
  std::mutex mutex_;
  std::atomic<long> packets_{0};
  std::atomic<long> bytes_{0};
};

int main() {
  Interface interface;
  Interface::Traffic traffic{};
  std::thread driver([&] {
    receiveMeter.count(STEPS);
    interface.receive(packetSize);
  });
  std::thread monitor([&] {
    reportMeter.count(STEPS + STEPS / 16);
    traffic = interface.report();
  });
  driver.join();
  monitor.join();
  assert(traffic.bytes == traffic.packets * packetSize);
}
