// Telemetry that a detached thread sends. main waits for its announcement, which is the last thing
// that the thread does with shared data; there is no join.
#include <condition_variable>
#include <mutex>
#include <thread>

struct Telemetry {
  std::mutex mutex;
  std::condition_variable finished;
  bool done = false;
  int sent = 0;
  int failed = 0;
};

static Telemetry telemetry;

static void announce() {
  std::lock_guard<std::mutex> guard(telemetry.mutex);
  telemetry.done = true; // NORACE
  telemetry.finished.notify_one();
}

static void sendAll(int count) {
  int failed = 0;
  for (int i = 1; i <= count; ++i) {
    if (i % 4 == 0)
      ++failed;
    else
      ++telemetry.sent; // NORACE
  }
  telemetry.failed = failed; // NORACE
  announce();
}

static void waitForTelemetry() {
  std::unique_lock<std::mutex> lock(telemetry.mutex);
  telemetry.finished.wait(lock, [] { return telemetry.done; }); // NORACE
}

int main() {
  std::thread sender(sendAll, 8);
  sender.detach();
  waitForTelemetry();
  int sent = telemetry.sent;     // NORACE
  int failed = telemetry.failed; // NORACE
  return sent == 6 && failed == 2 ? 0 : 1;
}
