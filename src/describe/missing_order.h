#pragma once

#include "model/candidate.h"
#include "model/finding.h"
#include "model/site_catalog.h"

#include <optional>
#include <string>

namespace heddle {

/// What a candidate lacks that only memory orders leave unordered; nothing of others. `sites`
/// resolves its identities.
std::optional<MissingOrderInfo> missingOrderOf(const Candidate& candidate,
                                               const SiteCatalog& sites);

/// "ordered only by ready, which is stored with memory_order_relaxed (a.cpp:12) and loaded with
/// memory_order_acquire (a.cpp:15): the store needs memory_order_release"
std::string missingOrderText(const MissingOrderInfo& missing);

} // namespace heddle
