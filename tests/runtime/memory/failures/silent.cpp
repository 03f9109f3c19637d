// A loop without a scheduling point: the watchdog's signal finds out where it is.
// MODES: watchdog
// EXPECT: dump 2
// EXPECT: thread 1
// EXPECT: waits T0 join
#include <thread>

int main() {
  std::thread([] {
    for (volatile int turns = 0;; turns = turns + 1) {
    }
  }).join();
}
