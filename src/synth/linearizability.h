#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace heddle::synth {

/// What a run of concurrent calls showed: the result of each call, then what the objects say
/// afterwards, as text. A run in which a call never returned is stuck and has nothing else.
struct Outcome {
  std::vector<std::string> results;
  std::vector<std::string> observations;
  bool isStuck = false;
  std::string text() const; ///< "1 | threw std::out_of_range | size 3"; "stuck"
  auto operator<=>(const Outcome&) const = default;
};

/// One order of all calls, as indices of their threads: {0, 1, 0} is the first call of thread 0,
/// the call of thread 1, the second of thread 0.
using SerialOrder = std::vector<size_t>;

/// All orders that keep the order of the calls in each thread.
std::vector<SerialOrder> serialOrders(const std::vector<size_t>& callsPerThread);

enum class Linearity : unsigned char {
  Linearizable,
  NotLinearizable, ///< no serial order of the same calls gives it
  NotDecided,      ///< a serial order, repeated, gives different outcomes: nothing can be said
};

/// The outcomes that are allowed: those of the serial orders (Line-Up, PLDI 2010; ConTeGe, PLDI
/// 2012). Each order is run more than once, to see whether it always gives the same.
class LegalOutcomes {
public:
  void add(const SerialOrder& order, const Outcome& outcome);
  /// Whether there is a serial order that gave two outcomes.
  bool isDeterministic() const;
  Linearity judge(const Outcome& observed) const;
  /// Each once, sorted.
  std::vector<Outcome> outcomes() const;
  /// The serial outcomes beside the observed one, one line each.
  std::string explain(const Outcome& observed) const;

private:
  struct Run {
    SerialOrder order;
    Outcome outcome;
  };
  std::vector<Run> runs_;
};

} // namespace heddle::synth
