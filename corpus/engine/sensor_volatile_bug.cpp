// A sensor thread hands a reading to a display thread, which spins on a volatile flag. The flag is
// raised between the two writes, so the display can see half a reading; and a volatile flag does
// not order the threads, so all of these accesses race.
#include <cassert>
#include <thread>

struct Reading {
  int celsius = 0;
  int humidity = 0;
};

static Reading reading;
static volatile bool measured = false;

static void measure() {
  reading.celsius = 21;  // RACE!
  measured = true;       // RACE!
  reading.humidity = 40; // RACE!
}

static void display() {
  while (!measured) { // RACE!
  }
  int celsius = reading.celsius;           // RACE!
  int humidity = reading.humidity;         // RACE!
  assert(celsius == 21 && humidity == 40); // EXPECT: assertion
}

int main() {
  std::thread sensor(measure);
  std::thread screen(display);
  sensor.join();
  screen.join();
}
