// A watcher looks at a job every few milliseconds. Whoever ends the job waits for longer than the
// watcher sleeps, and believes that it has seen the end: nothing but time says so.
#include <atomic>
#include <chrono>
#include <thread>

using namespace std::chrono_literals;

struct Job {
  std::atomic<bool> ended{false};
  std::atomic<int> looks{0};
};

int main() {
  auto* job = new Job;
  std::thread watcher([job] {
    while (!job->ended.load()) {
      std::this_thread::sleep_for(2ms);
      job->looks.fetch_add(1); // the use
    }
  });
  watcher.detach();
  std::this_thread::sleep_for(5ms);
  job->ended.store(true);
  std::this_thread::sleep_for(20ms);
  delete job;
  std::this_thread::sleep_for(50ms);
}
