// A lost update in the middle of n locked ones.
#include "threads.h"

#include <cassert>
#include <mutex>

std::mutex mutex;
int locked = 0;
int plain = 0;

int main(int argc, char** argv) {
  int n = sizeOf(argc, argv);
  auto body = [n] {
    for (int i = 0; i < n; ++i) {
      if (i == n / 2)
        ++plain;
      std::lock_guard lock(mutex);
      ++locked;
    }
  };
  runAll({body, body});
  assert(plain == 2 && locked == 2 * n);
  return 0;
}
