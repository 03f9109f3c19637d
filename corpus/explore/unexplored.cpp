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

/// What each of them draws depends on who is first.
void drawNumbers() {
  int drawn[2];
  runAll({[&] { drawn[0] = std::rand(); }, [&] { drawn[1] = std::rand(); }});
}

/// More than is set aside for a thread: the rest is common to all.
void allocateMuch() {
  auto allocate = [] {
    for (int i = 0; i < 1000; ++i)
      *static_cast<char*>(std::malloc(30000)) = 1;
  };
  runAll({allocate, allocate});
}

void readClocks() {
  std::chrono::steady_clock::time_point times[2];
  runAll({[&] { times[0] = std::chrono::steady_clock::now(); },
          [&] { times[1] = std::chrono::steady_clock::now(); }});
}

int main(int argc, char** argv) {
  std::string what = argc > 1 ? argv[1] : "";
  if (what == "spin")
    spin();
  if (what == "sleep")
    sleepInOne();
  if (what == "limit")
    waitWithLimit();
  if (what == "draw")
    drawNumbers();
  if (what == "much")
    allocateMuch();
  if (what == "clock")
    readClocks();
  if (what == "detach")
    std::thread([] { x = 1; }).detach();
  return 0;
}
