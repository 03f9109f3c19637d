#include "control/watchdog.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <thread>

namespace heddle {
namespace {

void burnCpu(double seconds) {
  timespec start, now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
  do
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  while (now.tv_sec - start.tv_sec + (now.tv_nsec - start.tv_nsec) * 1e-9 < seconds);
}

TEST(Watchdog, NoticesComputingWithoutProgress) {
  Watchdog watchdog(0.1, 60);
  Progress still;
  EXPECT_EQ(watchdog.observe(still, getpid()), Silence::None);
  burnCpu(0.15);
  EXPECT_EQ(watchdog.observe(still, getpid()), Silence::Computes);
}

TEST(Watchdog, ProgressStartsAnew) {
  Watchdog watchdog(0.1, 60);
  Progress progress;
  watchdog.observe(progress, getpid());
  burnCpu(0.15);
  progress.currentSteps = 1;
  EXPECT_EQ(watchdog.observe(progress, getpid()), Silence::None);
  EXPECT_EQ(watchdog.observe(progress, getpid()), Silence::None);
}

TEST(Watchdog, SleepingIsNotComputing) {
  Watchdog watchdog(0.05, 0.3);
  Progress still;
  watchdog.observe(still, getpid());
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(watchdog.observe(still, getpid()), Silence::None);
  std::this_thread::sleep_for(std::chrono::milliseconds(250));
  EXPECT_EQ(watchdog.observe(still, getpid()), Silence::Waits);
}

} // namespace
} // namespace heddle
