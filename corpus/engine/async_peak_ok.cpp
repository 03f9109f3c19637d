// Two std::async tasks search the peak of a sampled signal, each in its part. The maximum is
// updated by a compare-and-exchange loop, so a larger peak is never overwritten by a smaller one.
#include <atomic>
#include <future>
#include <vector>

class PeakMeter {
public:
  void offer(int sample) {
    int seen = peak_.load();
    while (seen < sample && !peak_.compare_exchange_weak(seen, sample)) {
    }
  }

  int peak() const { return peak_.load(); }

private:
  std::atomic<int> peak_{0};
};

struct Range {
  size_t begin;
  size_t end;
};

static size_t scan(const std::vector<int> &samples, Range range, PeakMeter &meter) {
  for (size_t i = range.begin; i < range.end; ++i)
    meter.offer(samples[i]); // NORACE
  return range.end - range.begin;
}

int main() {
  const std::vector<int> samples = {3, 41, 60, 72, 88, 5};
  PeakMeter meter;
  auto left = std::async(std::launch::async, [&] { return scan(samples, {0, 4}, meter); });
  auto right = std::async(std::launch::async, [&] { return scan(samples, {4, 6}, meter); });
  size_t scanned = left.get() + right.get(); // NORACE
  bool correct = scanned == samples.size() && meter.peak() == 88;
  return correct ? 0 : 3;
}
