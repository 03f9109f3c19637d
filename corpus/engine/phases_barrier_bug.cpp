// A simulation in phases: two threads advance their cells and meet at a std::barrier after each
// phase, until a stop is requested. Each looks at the request by itself; when it comes between the
// two looks, one thread leaves and the other waits at the barrier for ever.
#include <atomic>
#include <barrier>
#include <cassert>
#include <thread>

static std::atomic<bool> stopRequested{false};
static int cells[2] = {1, 1};

static void advance(int self) { cells[self] = cells[self] * 3 + 1; }

static void simulate(int self, std::barrier<> &phases) {
  for (int phase = 0; phase < 2 && !stopRequested.load(); ++phase) {
    advance(self);
    phases.arrive_and_wait(); // EXPECT: deadlock
  }
}

int main() {
  std::barrier<> phases(2);
  std::thread supervisor([] { stopRequested.store(true); });
  std::thread left([&] { simulate(0, phases); });
  std::thread right([&] { simulate(1, phases); });
  supervisor.join();
  left.join();
  right.join();
  assert(cells[0] == cells[1]);
}
