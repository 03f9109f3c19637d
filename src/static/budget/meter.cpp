#include "static/budget/meter.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <unistd.h>

namespace heddle::analysis {
namespace {

constexpr double kSecondsBetweenLooks = 0.05;
constexpr double kSecondsBetweenWords = 0.5;

uint64_t memoryNow() {
  std::ifstream file("/proc/self/statm");
  uint64_t total = 0, resident = 0;
  file >> total >> resident;
  return resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

} // namespace

uint64_t peakMemory() {
  // Not getrusage: its figure is at least that of the process that has started this one.
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:"))
      return std::strtoull(line.c_str() + 6, nullptr, 10) * 1024;
  return 0;
}

Meter::Meter(const Limits& limits)
    : limits_(limits), start_(Clock::now()), attempt_(start_), phaseStart_(start_),
      lastLook_(start_), lastWord_(start_) {}

double Meter::since(Clock::time_point start) const {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void Meter::beginAttempt(double share) {
  attempt_ = Clock::now();
  if (limits_.seconds <= 0)
    return;
  double left = limits_.seconds - since(start_);
  if (left <= 0)
    throw BudgetExceeded{fmt::format("{:g} s", limits_.seconds)};
  allowed_ = left * share;
  limit_ = share < 1 ? fmt::format("{:.1f} s", allowed_) : fmt::format("{:g} s", limits_.seconds);
}

void Meter::beginPhase(std::string name) {
  endPhase();
  phase_ = std::move(name);
  phaseStart_ = Clock::now();
  lastWord_ = phaseStart_;
  if (limits_.progress)
    limits_.progress(phase_);
}

void Meter::endPhase() {
  if (phase_.empty())
    return;
  double seconds = since(phaseStart_);
  for (PhaseTime& each : phases_)
    if (each.name == phase_) { // of an attempt before
      each.seconds += seconds;
      phase_.clear();
      return;
    }
  phases_.push_back({phase_, seconds});
  phase_.clear();
}

void Meter::tick(size_t count, const char* what) {
  if (since(lastLook_) < kSecondsBetweenLooks)
    return;
  lastLook_ = Clock::now();
  if (limits_.progress && since(lastWord_) >= kSecondsBetweenWords) {
    lastWord_ = Clock::now();
    limits_.progress(count ? fmt::format("{}: {} {}", phase_, count, what) : phase_);
  }
  if (limits_.mustStop && limits_.mustStop())
    throw Stopped{};
  if (allowed_ > 0 && since(attempt_) > allowed_)
    throw BudgetExceeded{limit_};
  if (limits_.memory && memoryNow() > limits_.memory << 20)
    throw BudgetExceeded{fmt::format("{} MB", limits_.memory)};
}

} // namespace heddle::analysis
