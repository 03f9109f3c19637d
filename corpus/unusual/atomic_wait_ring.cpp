// std::atomic::wait and notify: a ring of threads passes a token, each sleeping on a flag of its
// own, and a plain accumulator goes with it.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

struct alignas(64) Station {
  std::atomic<int> token{0};

  int receive() {
    token.wait(0, std::memory_order_acquire);
    return token.exchange(0, std::memory_order_acq_rel);
  }
  void send(int value) {
    token.store(value, std::memory_order_release);
    token.notify_one();
  }
};

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 5000;
  constexpr int kStations = 3;
  std::vector<Station> stations(kStations);
  std::atomic_flag finished = ATOMIC_FLAG_INIT;
  long accumulated = 0;
  std::vector<std::thread> threads;
  for (int self = 0; self < kStations; ++self)
    threads.emplace_back([&, self] {
      for (int i = 0; i < rounds; ++i) {
        int value = stations[self].receive();
        assert(value == i * kStations + self + 1);
        accumulated += value;
        if (value < rounds * kStations)
          stations[(self + 1) % kStations].send(value + 1);
      }
      if (self == kStations - 1) {
        finished.test_and_set();
        finished.notify_all();
      }
    });
  stations[0].send(1);
  finished.wait(false);
  long last = (long)rounds * kStations;
  assert(accumulated == last * (last + 1) / 2);
  for (std::thread& thread : threads)
    thread.join();
}
