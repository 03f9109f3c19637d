#pragma once

#include "model/ids.h"

/// Counts, for every thread, the decisions it took part in at each site: what makes the place of a
/// decision the same whatever else is hooked. Where points are thinned out it counts executions.
namespace heddle::rt {

struct Occurrence {
  uint32_t count; ///< including this one
  bool first;     ///< the thread was never at this site before
};
Occurrence countOccurrence(ThreadIndex thread, SiteId site);

} // namespace heddle::rt
