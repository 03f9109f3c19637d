#pragma once

#include "model/batch.h"

namespace heddle::rt {

/// Copies records and strings of all sites into the batch's site region. False: does not fit.
bool dumpSites(BatchHeader& batch);

} // namespace heddle::rt
