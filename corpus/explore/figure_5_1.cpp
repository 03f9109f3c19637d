// Figure 5.1 of the thesis: two threads and two accounts, with the wrong lock for one of them.
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
          }});
  if (!readsAfter(argc, argv))
    return 0;
  int first = x.value;
  int second = y.value;
  assert(first == second);
  return 0;
}
