#pragma once

#include "static/budget/limits.h"

#include <chrono>
#include <vector>

namespace heddle::analysis {

/// Thrown where a budget runs out; caught where another, cheaper attempt can be made.
struct BudgetExceeded {
  std::string what; ///< "120 s" or "4000 MB"
};

/// Thrown when Limits::mustStop says so.
struct Stopped {};

/// Peak memory of this process so far, in bytes.
uint64_t peakMemory();

/// Watches time and memory of an analysis, says what is being done, and measures the phases.
class Meter {
public:
  explicit Meter(const Limits& limits);

  /// An attempt may use this share of the time that is left.
  void beginAttempt(double share);
  /// Ends the phase before it.
  void beginPhase(std::string name);
  void endPhase();
  /// Called often, by all loops that can take long; cheap. Throws BudgetExceeded or
  /// Stopped.
  void tick() { tick(0, ""); }
  /// With how far it has come: 1200 "functions in context".
  void tick(size_t count, const char* what);

  const std::vector<PhaseTime>& phases() const { return phases_; }

private:
  using Clock = std::chrono::steady_clock;
  double since(Clock::time_point start) const;

  const Limits& limits_;
  Clock::time_point start_, attempt_, phaseStart_, lastLook_, lastWord_;
  double allowed_ = 0; ///< seconds of the attempt; 0: no limit
  std::string limit_;  ///< in words: of the attempt, or of all when there is no other
  std::string phase_;
  std::vector<PhaseTime> phases_;
};

} // namespace heddle::analysis
