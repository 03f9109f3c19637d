// Threads meet in pairs and exchange buffers: the first puts its pointer into the slot and spins
// until the second has left another one; whoever finds a stranger's exchange under way tries again.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <memory>
#include <thread>

namespace {

using Buffer = int;

class Exchanger {
public:
  Buffer* exchange(Buffer* mine) {
    Offer offer{mine};
    for (;;) {
      Offer* other = slot_.load(std::memory_order_acquire);
      if (!other) {
        if (!slot_.compare_exchange_strong(other, &offer))
          continue;
        Buffer* answer;
        while (!(answer = offer.answer.load(std::memory_order_acquire)))
          std::this_thread::yield();
        return answer;
      }
      if (slot_.compare_exchange_strong(other, nullptr)) {
        Buffer* taken = other->given;
        other->answer.store(mine, std::memory_order_release);
        return taken;
      }
    }
  }

private:
  struct Offer {
    Buffer* given;
    std::atomic<Buffer*> answer{nullptr};
  };
  std::atomic<Offer*> slot_{nullptr};
};

void swapAlong(Exchanger& exchanger, int rounds, int sign, long& sum) {
  auto buffer = std::make_unique<Buffer>(0);
  for (int i = 1; i <= rounds; ++i) {
    *buffer = sign * i;
    buffer.reset(exchanger.exchange(buffer.release()));
    assert(*buffer == -sign * i);
    sum += *buffer;
  }
}

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 5000;
  Exchanger exchanger;
  long sums[2] = {};
  std::thread first(swapAlong, std::ref(exchanger), rounds, 1, std::ref(sums[0]));
  std::thread second(swapAlong, std::ref(exchanger), rounds, -1, std::ref(sums[1]));
  first.join();
  second.join();
  assert(sums[0] + sums[1] == 0);
  assert(sums[1] == (long)rounds * (rounds + 1) / 2);
}
