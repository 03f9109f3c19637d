// heddle-corpus: flags=-lboost_context
// Stackful generators by boost::context: each consumer thread draws from a generator of its own,
// and what they draw goes into a shared map.
#include <boost/context/fiber.hpp>
#include <cassert>
#include <cstdlib>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

namespace {

namespace context = boost::context;

/// Yields 1, 2, 3 … one value for each call of next().
class Generator {
public:
  Generator()
      : fiber_([this](context::fiber&& caller) {
          for (;;) {
            ++value_;
            caller = std::move(caller).resume();
            if (ended_)
              return std::move(caller);
          }
        }) {}
  ~Generator() {
    ended_ = true;
    fiber_ = std::move(fiber_).resume();
  }

  int next() {
    fiber_ = std::move(fiber_).resume();
    return value_;
  }

private:
  int value_ = 0;
  bool ended_ = false;
  context::fiber fiber_;
};

class Totals {
public:
  void add(int key, long amount) {
    std::lock_guard<std::mutex> guard(mutex_);
    totals_[key] += amount;
  }
  long all() const {
    long sum = 0;
    for (const auto& [key, total] : totals_)
      sum += total;
    return sum;
  }

private:
  std::mutex mutex_;
  std::map<int, long> totals_;
};

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 20000;
  Totals totals;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] {
      Generator generator;
      for (int round = 0; round < rounds; ++round) {
        int value = generator.next();
        totals.add(value % 7, value);
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  assert(totals.all() == 3L * rounds * (rounds + 1) / 2);
}
