// pthread_once, std::call_once and static locals: once for all, again after an exception.
#include "check.h"

#include <atomic>
#include <mutex>
#include <pthread.h>
#include <stdexcept>
#include <thread>
#include <vector>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static int calls = 0;
static int finished = 0;

static void initialise() {
  ++calls;
  sched_yield();
  finished = 1;
}

static void inThreads(int count, void (*body)()) {
  std::vector<std::thread> threads;
  threads.reserve(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i)
    threads.emplace_back(body);
  for (std::thread& thread : threads)
    thread.join();
}

static void onlyOnce() {
  inThreads(4, [] {
    CHECK_EQ(pthread_once(&control, initialise), 0);
    CHECK_EQ(finished, 1);
  });
  CHECK_EQ(calls, 1);
}

static pthread_once_t outer = PTHREAD_ONCE_INIT;
static pthread_once_t inner = PTHREAD_ONCE_INIT;
static int nested = 0;

static void nesting() {
  pthread_once(&outer, [] { pthread_once(&inner, [] { ++nested; }); });
  CHECK_EQ(nested, 1);
}

static std::once_flag flag;
static int attempts = 0;

static void throwingTwice() {
  inThreads(5, [] {
    try {
      std::call_once(flag, [] {
        if (++attempts < 3) {
          std::this_thread::yield();
          throw std::runtime_error("not yet");
        }
      });
      CHECK_EQ(attempts, 3);
    } catch (const std::runtime_error&) {
      CHECK(attempts < 3 || attempts == 3);
    }
  });
  CHECK_EQ(attempts, 3);
}

static pthread_once_t leaving = PTHREAD_ONCE_INIT;
static int leavers = 0;

static void* leaveInRoutine(void*) {
  pthread_once(&leaving, [] {
    if (leavers++ == 0)
      pthread_exit(nullptr);
  });
  return nullptr;
}

static void exitInRoutine() {
  for (int i = 0; i < 3; ++i) {
    pthread_t thread;
    pthread_create(&thread, nullptr, leaveInRoutine, nullptr);
    pthread_join(thread, nullptr);
  }
  CHECK_EQ(leavers, 2);
}

static int made = 0;
struct Slow {
  Slow() {
    ++made;
    std::this_thread::yield();
    complete = true;
  }
  bool complete = false;
};

static Slow& slow() {
  static Slow object;
  return object;
}

static int constructions = 0;
static std::atomic<int> failures = 0;
struct Fragile {
  Fragile() {
    std::this_thread::yield();
    if (++constructions < 3)
      throw 1;
    complete = true;
  }
  bool complete = false;
};

static Fragile& fragile() {
  static Fragile object;
  return object;
}

static int depth = 0;
static int countDown(int n) {
  static int base = [] {
    ++depth;
    return slow().complete ? 100 : 0;
  }();
  return n == 0 ? base : countDown(n - 1);
}

static void staticLocals() {
  inThreads(4, [] { CHECK(slow().complete); });
  CHECK_EQ(made, 1);
  inThreads(5, [] {
    try {
      CHECK(fragile().complete);
    } catch (int) {
      ++failures;
    }
  });
  CHECK_EQ(constructions, 3);
  CHECK_EQ(failures, 2);
  CHECK_EQ(countDown(3), 100);
  CHECK_EQ(depth, 1);
}

int main() {
  onlyOnce();
  nesting();
  throwingTwice();
  exitInRoutine();
  staticLocals();
  return 0;
}
