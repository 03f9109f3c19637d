#include "control/interrupt.h"

#include <time.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdint>

namespace heddle {
namespace {

std::atomic<int> gInterrupts{0};
std::atomic<int> gDeferred{0};
std::atomic<int64_t> gFirstAt{0}; ///< when the first signal came
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<int64_t>::is_always_lock_free,
              "used in a signal handler");

int64_t nanosNow() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

void onInterrupt(int) {
  if (gInterrupts.load() == 0)
    gFirstAt = nanosNow();
  if (gInterrupts.fetch_add(1) > 0)
    _exit(130);
}

bool graceIsOver() {
  return static_cast<double>(nanosNow() - gFirstAt.load()) * 1e-9 > kConfirmationGraceSeconds;
}

} // namespace

void installInterruptHandlers() {
  struct sigaction action{};
  action.sa_handler = onInterrupt;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  struct sigaction hangUp{};
  if (sigaction(SIGHUP, nullptr, &hangUp) == 0 && hangUp.sa_handler != SIG_IGN)
    sigaction(SIGHUP, &action, nullptr);
  // A closed pipe behind --output must become an error message, not a silent death.
  signal(SIGPIPE, SIG_IGN);
}

bool interrupted() { return gInterrupts.load() > 0 && (gDeferred.load() == 0 || graceIsOver()); }

bool interruptRequested() { return gInterrupts.load() > 0; }

DeferInterrupts::DeferInterrupts() { ++gDeferred; }
DeferInterrupts::~DeferInterrupts() { --gDeferred; }

void setInterrupted(bool value) {
  gFirstAt = nanosNow();
  gInterrupts = value ? 1 : 0;
}

} // namespace heddle
