// A Monte Carlo valuation of two shares, after the montecarlo of the Java Grande Forum. Two workers
// for each share take the numbers of the price paths and store the prices under one lock, and the
// counter of started paths, which feeds a progress display, is atomic.
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <mutex>
#include <thread>

constexpr int kPaths = 4;
constexpr int kSteps = 3;

class Valuation {
public:
  explicit Valuation(double price) : price_(price) {}

  bool runNextPath() {
    int path = takePath();
    if (path < 0)
      return false;
    double price = simulate(path);
    std::lock_guard<std::mutex> guard(mutex_);
    results_[count_] = price;
    ++count_;
    return true;
  }

  std::size_t count() const { return count_; }
  double progress() const { return double(started_.load()) / kPaths; }

private:
  int takePath() {
    std::lock_guard<std::mutex> guard(mutex_);
    return nextPath_ < kPaths ? nextPath_++ : -1;
  }

  double simulate(int path) {
    started_.fetch_add(1, std::memory_order_relaxed);
    unsigned state = 12345U + 77U * static_cast<unsigned>(path);
    double price = price_;
    for (int step = 0; step < kSteps; ++step) {
      state = state * 1664525U + 1013904223U;
      price *= 0.99 + 0.02 * (state >> 16) / 65536.0;
    }
    return price;
  }

  const double price_;
  std::mutex mutex_;
  int nextPath_ = 0;
  std::atomic<int> started_{0};
  std::size_t count_ = 0;
  std::array<double, kPaths> results_{};
};

static void work(Valuation &valuation) {
  while (valuation.runNextPath()) {
  }
}

int main() {
  Valuation steel(80);
  Valuation grain(15);
  std::thread steelFirst([&] { work(steel); });
  std::thread steelSecond([&] { work(steel); });
  std::thread grainFirst([&] { work(grain); });
  std::thread grainSecond([&] { work(grain); });
  steelFirst.join();
  steelSecond.join();
  grainFirst.join();
  grainSecond.join();
  assert(steel.progress() <= 1 && grain.progress() <= 1);
  assert(steel.count() == kPaths);
  assert(grain.count() == kPaths);
}
