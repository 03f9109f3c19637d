// Ways to wait that end in a futex, guards of static variables, and barriers, by the first
// argument.
#include "threads.h"

#include <atomic>
#include <cassert>
#include <cstdlib>
#include <future>
#include <latch>
#include <pthread.h>
#include <semaphore>
#include <string>

int made = 0;

int make() { return ++made; }

int& instance() {
  static int value = make();
  return value;
}

void waitForFlag() {
  std::atomic<int> flag{0};
  runAll({[&] { flag.wait(0); },
          [&] {
            flag = 1;
            flag.notify_one();
          }});
}

void waitForPromise() {
  std::promise<int> promise;
  runAll({[&] { promise.set_value(1); }});
  assert(promise.get_future().get() == 1);
}

void meet(int threads, bool looks) {
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, nullptr, static_cast<unsigned>(threads));
  std::atomic<int> last{0};
  std::vector<std::function<void()>> all(static_cast<size_t>(threads), [&] {
    if (!looks)
      pthread_barrier_wait(&barrier);
    else if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
      last = 1;
  });
  runAll(all);
}

int main(int argc, char** argv) {
  int threads = argc > 1 ? std::atoi(argv[1]) : 2;
  std::string what = argc > 2 ? argv[2] : "";
  if (what == "flag")
    waitForFlag();
  if (what == "promise")
    waitForPromise();
  if (what == "static")
    runAll(std::vector<std::function<void()>>(static_cast<size_t>(threads),
                                              [] { assert(instance() == 1); }));
  if (what == "barrier")
    meet(threads, false);
  if (what == "last")
    meet(threads, true);
  if (what == "binary") {
    std::binary_semaphore semaphore(0);
    runAll({[&] { semaphore.acquire(); }, [&] { semaphore.release(); }});
  }
  return 0;
}
