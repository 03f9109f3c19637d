#pragma once

#include "static/escape.h"
#include "static/sites.h"

namespace heddle::analysis {

/// Accesses that only touch memory which one thread can reach, in every context: their identities,
/// sorted. What is passed to functions that nothing is known of counts as shared, and an access
/// whose address is not known as one to shared memory.
std::vector<uint64_t> findLocalSites(const PointsTo& pointsTo, const Threads& threads,
                                     Sites& sites);

} // namespace heddle::analysis
