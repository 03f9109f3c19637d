// A sequence lock with fences: the words of a quote are relaxed atomics, writers make the counter
// odd while they write, readers try again when it was odd or has changed. Two writers exclude each
// other by the counter itself.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

struct Quote {
  long bid, ask, time;
};

class SequenceLock {
public:
  void write(long base) {
    unsigned sequence = lockWriters();
    std::atomic_thread_fence(std::memory_order_release);
    bid_.store(base, std::memory_order_relaxed);
    ask_.store(base + 1, std::memory_order_relaxed);
    time_.store(base * 2, std::memory_order_relaxed);
    sequence_.store(sequence + 2, std::memory_order_release);
  }

  Quote read() const {
    Quote quote;
    for (;;) {
      unsigned before = sequence_.load(std::memory_order_acquire);
      if (before & 1) {
        std::this_thread::yield();
        continue;
      }
      quote = {bid_.load(std::memory_order_relaxed), ask_.load(std::memory_order_relaxed),
               time_.load(std::memory_order_relaxed)};
      std::atomic_thread_fence(std::memory_order_acquire);
      if (sequence_.load(std::memory_order_relaxed) == before)
        return quote;
    }
  }

private:
  unsigned lockWriters() {
    for (;;) {
      unsigned sequence = sequence_.load(std::memory_order_relaxed);
      if (!(sequence & 1) &&
          sequence_.compare_exchange_weak(sequence, sequence + 1, std::memory_order_acquire,
                                          std::memory_order_relaxed))
        return sequence;
      std::this_thread::yield();
    }
  }

  std::atomic<unsigned> sequence_{0};
  std::atomic<long> bid_{0}, ask_{1}, time_{0};
};

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 40000;
  SequenceLock quotes;
  std::vector<std::thread> threads;
  for (int writer = 0; writer < 2; ++writer)
    threads.emplace_back([&, writer] {
      for (int i = 0; i < rounds; ++i)
        quotes.write(2L * i + writer);
    });
  for (int reader = 0; reader < 2; ++reader)
    threads.emplace_back([&] {
      for (int i = 0; i < rounds; ++i) {
        Quote quote = quotes.read();
        assert(quote.ask == quote.bid + 1);
        assert(quote.time == quote.bid * 2);
      }
    });
  for (std::thread& thread : threads)
    thread.join();
}
