// A sensor thread hands a reading to a display thread, which spins on an atomic flag. The flag is
// raised by a release store after both writes, and the loop ends with an acquire load that sees it.
#include <atomic>
#include <cassert>
#include <thread>

struct Reading {
  int celsius = 0;
  int humidity = 0;
};

static Reading reading;
static std::atomic<bool> measured{false};

static void measure() {
  reading.celsius = 21;  // NORACE
  reading.humidity = 40; // NORACE
  measured.store(true, std::memory_order_release);
}

static void display() {
  while (!measured.load(std::memory_order_acquire)) {
  }
  int celsius = reading.celsius;   // NORACE
  int humidity = reading.humidity; // NORACE
  assert(celsius == 21 && humidity == 40);
}

int main() {
  std::thread sensor(measure);
  std::thread screen(display);
  sensor.join();
  screen.join();
}
