// Compare-and-swap in a loop that counts its failures in a local variable and, at the end, in a
// member that only its thread writes.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

/// Sum and count of samples in one word.
class Mean {
public:
  unsigned add(std::uint32_t sample) {
    unsigned retries = 0;
    std::uint64_t seen = word_.load(std::memory_order_relaxed);
    for (;;) {
      std::uint64_t count = (seen >> 40) + 1;
      std::uint64_t sum = (seen & kSum) + sample;
      if (word_.compare_exchange_weak(seen, count << 40 | sum, std::memory_order_acq_rel,
                                      std::memory_order_relaxed))
        return retries;
      ++retries;
    }
  }
  std::uint64_t count() const { return word_.load() >> 40; }
  std::uint64_t sum() const { return word_.load() & kSum; }

private:
  static constexpr std::uint64_t kSum = (std::uint64_t(1) << 40) - 1;
  std::atomic<std::uint64_t> word_{0};
};

struct Sampler {
  Mean& mean;
  long retries = 0;

  void run(int rounds) {
    for (int i = 0; i < rounds; ++i)
      retries += mean.add(i & 255);
  }
};

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 40000;
  Mean mean;
  std::vector<Sampler> samplers(3, Sampler{mean});
  std::vector<std::thread> threads;
  for (Sampler& sampler : samplers)
    threads.emplace_back([&sampler, rounds] { sampler.run(rounds); });
  for (std::thread& thread : threads)
    thread.join();
  std::uint64_t expected = 0;
  for (int i = 0; i < rounds; ++i)
    expected += i & 255;
  assert(mean.count() == 3u * rounds);
  assert(mean.sum() == 3 * expected);
  for (Sampler& sampler : samplers)
    assert(sampler.retries >= 0);
}
