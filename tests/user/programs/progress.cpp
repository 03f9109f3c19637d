// Threads that wait in loops of many kinds, threads that work for long, and threads that hang. The
// first argument names the case, the second one how long the others work.
#include <atomic>
#include <cassert>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

static std::atomic<int> flag{0};
static std::mutex mutex;
static bool done = false;
static long total = 0;
static long rounds = 1000;

struct Poller {
  virtual ~Poller() = default;
  virtual bool ready() {
    std::lock_guard guard(mutex);
    return done;
  }
};

static void work() {
  for (long i = 0; i < rounds; ++i) {
    std::lock_guard guard(mutex);
    ++total;
  }
  {
    std::lock_guard guard(mutex);
    done = true;
  }
  flag = 1;
}

static void pollUnderLock() {
  for (;;) {
    std::lock_guard guard(mutex);
    if (done)
      return;
  }
}

// The number of polls is in a register or on the stack: no state repeats.
static long countPolls() {
  long polls = 0;
  for (;; ++polls) {
    std::lock_guard guard(mutex);
    if (done)
      return polls;
  }
}

static void waitFor(int value) {
  while (flag != value) {
  }
}

static void waitsForFlag() {
  std::thread worker(work);
  waitFor(1);
  worker.join();
}

static void waitsUnderLock() {
  std::thread worker(work);
  pollUnderLock();
  worker.join();
}

static void waitsAfterCall() {
  std::unique_ptr<Poller> poller(new Poller);
  std::thread worker(work);
  while (!poller->ready()) {
  }
  worker.join();
}

static void waitsAndCounts() {
  std::thread worker(work);
  long polls = countPolls();
  worker.join();
  std::printf("%s\n", polls == 0 ? "at once" : "later");
}

static void waitsForSleeper() {
  std::thread worker([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    work();
  });
  pollUnderLock();
  worker.join();
}

static void waitsAtBarrier() {
  constexpr int threads = 4;
  std::atomic<int> arrived{0};
  std::atomic<int> phase{0};
  std::vector<std::thread> group;
  for (int i = 0; i < threads; ++i)
    group.emplace_back([&] {
      for (long round = 0; round < rounds; ++round) {
        int before = phase;
        if (++arrived == threads) {
          arrived = 0;
          ++phase;
        }
        while (phase == before) {
        }
      }
    });
  for (std::thread& thread : group)
    thread.join();
}

// Its counter lies in memory that no hook sees, and nothing else of it changes.
static void countsOnTheHeap() {
  auto counter = std::make_unique<volatile long>(0);
  std::thread worker([&] {
    for (*counter = 0; *counter < rounds; *counter = *counter + 1) {
      mutex.lock();
      mutex.unlock();
    }
    flag = 1;
  });
  waitFor(1);
  worker.join();
}

static void beats() {
  std::atomic<long> heart{0};
  std::thread beating([&] {
    while (flag == 0)
      ++heart;
  });
  std::thread worker(work);
  beating.join();
  worker.join();
}

// Only when the first thread does all of its rounds before the second one begins.
static void failsInOrder() {
  std::thread first(work);
  std::thread second([] {
    std::lock_guard guard(mutex);
    assert(!done && "the second thread came last");
  });
  first.join();
  second.join();
}

static void hangsForFlag() { waitFor(1); }

static void hangsUnderLock() {
  std::thread other([] { std::lock_guard guard(mutex); });
  pollUnderLock();
  other.join();
}

static void hangsForEachOther() {
  std::thread other([] {
    waitFor(1);
    flag = 2;
  });
  waitFor(2);
  other.join();
}

static void hangsYielding() {
  std::thread other([] {
    while (flag != 1)
      std::this_thread::yield();
  });
  other.join();
}

static void hangsTrying() {
  mutex.lock();
  std::thread other([] {
    while (!mutex.try_lock()) {
    }
  });
  other.join();
}

static void countsForEver() {
  std::thread other([] {});
  std::printf("%ld\n", countPolls());
  other.join();
}

int main(int argc, char** argv) {
  const std::map<std::string, void (*)()> cases = {
      {"waits-for-flag", waitsForFlag},        {"waits-under-lock", waitsUnderLock},
      {"waits-after-call", waitsAfterCall},    {"waits-and-counts", waitsAndCounts},
      {"waits-for-sleeper", waitsForSleeper},  {"waits-at-barrier", waitsAtBarrier},
      {"counts-on-the-heap", countsOnTheHeap}, {"beats", beats},
      {"fails-in-order", failsInOrder},        {"hangs-for-flag", hangsForFlag},
      {"hangs-under-lock", hangsUnderLock},    {"hangs-for-each-other", hangsForEachOther},
      {"hangs-yielding", hangsYielding},       {"hangs-trying", hangsTrying},
      {"counts-for-ever", countsForEver},
  };
  rounds = argc > 2 ? std::atol(argv[2]) : rounds;
  cases.at(argv[1])();
}
