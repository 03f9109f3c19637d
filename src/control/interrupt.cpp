#include "control/interrupt.h"

#include <unistd.h>

#include <atomic>
#include <csignal>

namespace heddle {
namespace {

std::atomic<int> gInterrupts{0};
std::atomic<int> gDeferred{0};
static_assert(std::atomic<int>::is_always_lock_free, "used in a signal handler");

void onInterrupt(int) {
  if (gInterrupts.fetch_add(1) > 0)
    _exit(130);
}

} // namespace

void installInterruptHandlers() {
  struct sigaction action{};
  action.sa_handler = onInterrupt;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // A closed pipe behind --output must become an error message, not a silent death.
  signal(SIGPIPE, SIG_IGN);
}

bool interrupted() { return gInterrupts.load() > 0 && gDeferred.load() == 0; }

DeferInterrupts::DeferInterrupts() { ++gDeferred; }
DeferInterrupts::~DeferInterrupts() { --gDeferred; }

void setInterrupted(bool value) { gInterrupts.store(value ? 1 : 0); }

} // namespace heddle
