// Figure 5.18 of the thesis: as figure 5.1, with a third thread that writes without a lock.
#include "threads.h"

#include <cassert>
#include <mutex>

struct Account {
  std::mutex mutex;
  int value = 0;
};
Account x;
Account y;

int main(int argc, char** argv) {
  runAll({[] {
            {
              std::lock_guard<std::mutex> guard(x.mutex);
              x.value += 10;
            }
            std::lock_guard<std::mutex> guard(y.mutex);
            y.value += 10;
          },
          [] {
            {
              std::lock_guard<std::mutex> guard(y.mutex); // should be x
              x.value -= 10;
              if (y.value < 0)
                x.value = 0;
            }
            std::lock_guard<std::mutex> guard(y.mutex);
            y.value -= 10;
          },
          [] { y.value = -999; }});
  if (!readsAfter(argc, argv))
    return 0;
  int first = x.value;
  int second = y.value;
  assert(first == second);
  return 0;
}
