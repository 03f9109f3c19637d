// Two std::async tasks search the peak of a sampled signal, each in its part. "Is mine larger?" and
// "then store mine" are two atomic operations; a smaller peak can overwrite a larger one that was
// stored in between. The program then reports failure by its exit status.
#include <atomic>
#include <future>
#include <vector>

class PeakMeter {
public:
  void offer(int sample) {
    if (sample > peak_.load())
      peak_.store(sample);
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
    meter.offer(samples[i]);
  return range.end - range.begin;
}

int main() {
  const std::vector<int> samples = {3, 41, 60, 72, 88, 5};
  PeakMeter meter;
  auto left = std::async(std::launch::async, [&] { return scan(samples, {0, 4}, meter); });
  auto right = std::async(std::launch::async, [&] { return scan(samples, {4, 6}, meter); });
  size_t scanned = left.get() + right.get();
  bool correct = scanned == samples.size() && meter.peak() == 88;
  return correct ? 0 : 3; // EXPECT: exit-status
}
