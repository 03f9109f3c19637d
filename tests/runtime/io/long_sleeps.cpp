// CONTROLLED ONLY: hours of virtual time pass at once.
#include "check.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <poll.h>
#include <thread>
#include <unistd.h>

using namespace std::chrono;
using namespace std::chrono_literals;

int main() {
  auto begin = steady_clock::now();
  std::thread sleeper([] { std::this_thread::sleep_for(2h); });
  int ends[2];
  CHECK(pipe(ends) == 0);
  pollfd descriptor{ends[0], POLLIN, 0};
  CHECK(poll(&descriptor, 1, 3'600'000) == 0);
  CHECK(sleep(10) == 0);
  std::mutex mutex;
  std::condition_variable condition;
  std::unique_lock lock(mutex);
  CHECK(condition.wait_for(lock, 1h, [] { return false; }) == false);
  sleeper.join();
  CHECK(steady_clock::now() - begin >= 2h && steady_clock::now() - begin < 3h);
}
