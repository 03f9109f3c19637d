#pragma once

#include "static/races/analyses.h"

namespace heddle::analysis {

/// One access in its circumstances.
struct AccessRecord {
  uint32_t site; ///< Sites
  uint32_t activation;
  LocationId location;
  LockSetId locks;
  AliveId alive;
  bool fresh;              ///< before its object was published
  bool internal = false;   ///< by a library, to memory that it has made itself
  Owned owned = Owned::No; ///< how its thread came to the object
  bool atomic = false;     ///< the library makes it atomic, by a lock of its own
};

} // namespace heddle::analysis
