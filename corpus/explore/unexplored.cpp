// What the search has no steps for, by the first argument: the verdict must say so.
#include "threads.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>

std::atomic<bool> flag{false};
int x = 0;

void spin() {
  runAll({[] {
            while (!flag.load()) {
            }
          },
          [] { flag = true; }});
}

void sleepInOne() {
  runAll({[] {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            x = 1;
          },
          [] { x = 2; }});
}

/// It is always notified in time; what happens if it is not is in no class.
void waitWithLimit() {
  std::mutex mutex;
  std::condition_variable condition;
  bool isReady = false;
  runAll({[&] {
            std::unique_lock lock(mutex);
            condition.wait_for(lock, std::chrono::seconds(1), [&] { return isReady; });
          },
          [&] {
            std::unique_lock lock(mutex);
            isReady = true;
            condition.notify_one();
          }});
}

int main(int argc, char** argv) {
  std::string what = argc > 1 ? argv[1] : "";
  if (what == "spin")
    spin();
  if (what == "sleep")
    sleepInOne();
  if (what == "limit")
    waitWithLimit();
  if (what == "detach")
    std::thread([] { x = 1; }).detach();
  return 0;
}
