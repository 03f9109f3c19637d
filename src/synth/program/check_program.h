#pragma once

#include <string>
#include <utility>
#include <vector>

namespace heddle::synth {

/// A finding as far as a synthesis looks at it; the store has the rest under the id.
struct CheckedFinding {
  std::string id;
  std::string kind;
  std::string status;
  std::string failure; ///< kind of what follows from it; empty: nothing
  std::vector<std::pair<std::string, unsigned>> places; ///< of its sites and what they call
};

struct CheckOutcome {
  std::vector<CheckedFinding> findings;
  unsigned long long runs = 0;
  double seconds = 0;
  std::string problem; ///< why nothing is known; empty: the check ended well
};

struct CheckProgram {
  std::string heddle;
  std::string executable;
  std::vector<std::string> arguments;
  std::string store;
  std::string report; ///< a file that may be overwritten
  double seconds = 10;
  size_t jobs = 1;
};

/// One `heddle check` of one program. The only place that knows how checks are started: here as a
/// process of its own, whose findings are in the store afterwards.
CheckOutcome checkProgram(const CheckProgram& program);

} // namespace heddle::synth
