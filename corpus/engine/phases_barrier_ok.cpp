// A simulation in phases: two threads advance their cells and meet at a std::barrier after each
// phase, until a stop is requested. The barrier's completion step looks at the request once per
// phase, so both threads obey the same answer and leave after the same phase.
#include <atomic>
#include <barrier>
#include <cassert>
#include <thread>

static std::atomic<bool> stopRequested{false};
static int cells[2] = {1, 1};
static bool stopNow = false;

static void advance(int self) { cells[self] = cells[self] * 3 + 1; }

struct PhaseEnd {
  void operator()() noexcept { stopNow = stopRequested.load(); } // NORACE
};

static void simulate(int self, std::barrier<PhaseEnd> &phases) {
  for (int phase = 0; phase < 2; ++phase) {
    advance(self);
    phases.arrive_and_wait();
    if (stopNow) // NORACE
      return;
  }
}

int main() {
  std::barrier<PhaseEnd> phases(2);
  std::thread supervisor([] { stopRequested.store(true); });
  std::thread left([&] { simulate(0, phases); });
  std::thread right([&] { simulate(1, phases); });
  supervisor.join();
  left.join();
  right.join();
  assert(cells[0] == cells[1]);
}
