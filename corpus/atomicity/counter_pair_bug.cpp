// heddle-corpus: long=-DSTEPS=1000
// Two counters of a network interface, packets and bytes. All packets have the same size.
// Both counters are atomic and no lock seems to be needed, but they belong together: a report that
// reads one before a packet is counted and the other after it, or both in the middle of it, is
// wrong.
#include <atomic>
#include <cassert>
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
    packets_.fetch_add(1); // VIOLATION: half/8 first // VIOLATION: apart/9 intruder
    bytes_.fetch_add(size); // VIOLATION: half/8 second // VIOLATION: apart/9 intruder
  }

  Traffic report() {
    Traffic traffic;
    traffic.packets = packets_.load(); // VIOLATION: apart/9 first // VIOLATION: half/8 intruder
    reportMeter.count(STEPS);
    traffic.bytes = bytes_.load(); // VIOLATION: apart/9 second // VIOLATION: half/8 intruder
    return traffic;
  }

private:
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
  assert(traffic.bytes == traffic.packets * packetSize); // EXPECT: assertion
}
