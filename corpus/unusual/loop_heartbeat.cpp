// A heartbeat thread that only counts until it is told to stop, a second one that counts in an
// atomic that a watchdog looks at, and workers in between that take their time.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

std::atomic<bool> stop{false};
std::atomic<unsigned long> pulses{0};

/// Beats that nobody but the thread itself looks at before it has ended.
struct Heartbeat {
  unsigned long beats = 0;
  void run() {
    while (!stop.load(std::memory_order_relaxed))
      ++beats;
  }
};

void pulse() {
  while (!stop.load(std::memory_order_acquire))
    pulses.fetch_add(1, std::memory_order_relaxed);
}

long work(int rounds, std::atomic<long>& progress) {
  long sum = 0;
  for (int i = 0; i < rounds; ++i) {
    sum += i % 3;
    progress.store(i, std::memory_order_relaxed);
  }
  return sum;
}

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) / 3 * 3 : 60000;
  Heartbeat heartbeat;
  std::atomic<long> progress{0};
  std::thread heart([&] { heartbeat.run(); });
  std::thread second(pulse);
  long sums[2] = {};
  std::thread first([&] { sums[0] = work(rounds, progress); });
  sums[1] = work(rounds, progress);
  first.join();
  unsigned long seen = pulses.load();
  stop.store(true);
  heart.join();
  second.join();
  assert(sums[0] == rounds && sums[1] == rounds);
  assert(pulses.load() >= seen);
  return heartbeat.beats == ~0ul;
}
