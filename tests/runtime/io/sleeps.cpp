// Clocks and sleeps. LONG natural durations would make this slow: natively they are scaled down.
#include "check.h"

#include <cerrno>
#include <chrono>
#include <ctime>
#include <mutex>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace std::chrono;
using namespace std::chrono_literals;

static void sleepsEndInOrder() {
  std::vector<int> order;
  std::mutex mutex;
  std::vector<std::thread> threads;
  for (int i : {3, 1, 2, 0})
    threads.emplace_back([&, i] {
      std::this_thread::sleep_for(60ms * i + 20ms);
      std::lock_guard lock(mutex);
      order.push_back(i);
    });
  for (auto& thread : threads)
    thread.join();
  CHECK((order == std::vector<int>{0, 1, 2, 3}));
}

static void clocksAgree() {
  auto steady = steady_clock::now();
  auto system = system_clock::now();
  time_t seconds = time(nullptr);
  timeval day;
  CHECK(gettimeofday(&day, nullptr) == 0);
  CHECK(day.tv_sec >= seconds && day.tv_sec <= seconds + 1);
  timespec get;
  CHECK(timespec_get(&get, TIME_UTC) == TIME_UTC && get.tv_sec >= day.tv_sec);
  std::this_thread::sleep_for(100ms);
  CHECK(steady_clock::now() - steady >= 100ms);
  CHECK(system_clock::now() - system >= 100ms);
  timespec until;
  CHECK(clock_gettime(CLOCK_MONOTONIC, &until) == 0);
  until.tv_sec += 1;
  until.tv_nsec = 0;
  CHECK(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == 0);
  timespec now;
  CHECK(clock_gettime(CLOCK_MONOTONIC, &now) == 0 && now.tv_sec >= until.tv_sec);
  timespec wrong{0, 2'000'000'000};
  CHECK(nanosleep(&wrong, nullptr) == -1 && errno == EINVAL);
  CHECK(usleep(1000) == 0 && sleep(0) == 0);
  CHECK(clock() >= 0);
}

static void waitingForAClockEnds() {
  auto end = steady_clock::now() + 30ms;
  int reads = 0;
  while (steady_clock::now() < end)
    ++reads;
  CHECK(reads > 0);
}

static void timerDescriptor() {
  int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  CHECK(fd >= 0);
  itimerspec value{{0, 10'000'000}, {0, 20'000'000}};
  auto begin = steady_clock::now();
  CHECK(timerfd_settime(fd, 0, &value, nullptr) == 0);
  uint64_t total = 0;
  while (total < 3) {
    uint64_t count;
    CHECK(read(fd, &count, sizeof count) == sizeof count && count >= 1);
    total += count;
  }
  CHECK(steady_clock::now() - begin >= 40ms);
  itimerspec left;
  CHECK(timerfd_gettime(fd, &left) == 0 && left.it_interval.tv_nsec == 10'000'000);
  close(fd);
}

int main() {
  sleepsEndInOrder();
  clocksAgree();
  waitingForAClockEnds();
  timerDescriptor();
}
