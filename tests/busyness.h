#pragma once

#include <algorithm>
#include <cstdlib>
#include <thread>

namespace heddle {

/// How many times longer work takes than on idle cores, about; 1 when there are cores to spare.
/// Limits of time in tests are multiplied by it: they are about heddle, and not about its
/// neighbours. It has a limit, too, so that tests end.
inline double busyness() {
  double load = 0;
  if (getloadavg(&load, 1) != 1)
    return 1;
  return std::clamp(load / std::max(1u, std::thread::hardware_concurrency()), 1.0, 4.0);
}

} // namespace heddle
