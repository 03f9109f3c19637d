// What the search has no steps for, by the first argument: the verdict must say so.
#include "threads.h"

#include <atomic>
#include <chrono>
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

void waitByFutex() {
  runAll({[] { flag.wait(false); },
          [] {
            flag = true;
            flag.notify_all();
          }});
}

int main(int argc, char** argv) {
  std::string what = argc > 1 ? argv[1] : "";
  if (what == "spin")
    spin();
  if (what == "sleep")
    sleepInOne();
  if (what == "futex")
    waitByFutex();
  if (what == "detach")
    std::thread([] { x = 1; }).detach();
  return 0;
}
