#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace heddle::analysis {

/// What an analysis may use, and whom it tells how far it has come.
struct Limits {
  double seconds = 0;                  ///< for all of it; 0: no limit
  uint64_t memory = 0;                 ///< of the process, in MB; 0: no limit
  std::function<bool()> mustStop = {}; ///< whether somebody wants it to end; asked often
  /// What is being done; called about twice a second.
  std::function<void(const std::string&)> progress = {};
};

struct PhaseTime {
  std::string name;
  double seconds = 0;
};

} // namespace heddle::analysis
