// A recorder that a flag tells to stop. The flag is atomic, and orders the samples that were
// written before it was set.
#include <atomic>
#include <thread>
#include <vector>

class Recorder {
public:
  void record() {
    for (int i = 0; i < 1000 && !stop_; ++i) // NORACE
      std::this_thread::yield();
    recorded_ = 1; // NORACE
  }

  void stop(int reason) {
    reason_ = reason; // NORACE
    stop_ = true;     // NORACE
  }

  int reason() const {
    if (!stop_) // NORACE
      return 0;
    return reason_; // NORACE
  }

  int recorded() const { return recorded_; } // NORACE

private:
  std::atomic<bool> stop_{false};
  int recorded_ = 0;
  int reason_ = 0;
};

static void watch(const Recorder &recorder, std::vector<int> &reasons) {
  for (int i = 0; i < 10; ++i) {
    reasons.push_back(recorder.reason()); // NORACE
    std::this_thread::yield();
  }
}

int main() {
  Recorder recorder;
  std::vector<int> reasons;
  std::thread panel([&recorder] { recorder.stop(3); });
  std::thread camera([&recorder] { recorder.record(); });
  std::thread watcher([&] { watch(recorder, reasons); });
  panel.join();
  camera.join();
  watcher.join();
  for (int reason : reasons) // NORACE
    if (reason != 0 && reason != 3)
      return 1;
  return recorder.recorded() == 1 && reasons.size() == 10 ? 0 : 1; // NORACE
}
