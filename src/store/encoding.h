#pragma once

#include "model/ids.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle {

/// Lists of strings as one blob, each string followed by a NUL: argv and environment hold any
/// other byte, so that text encodings would lose some.
std::string joinStrings(const std::vector<std::string>& strings);
std::vector<std::string> splitStrings(std::string_view blob);

/// Names and values alternate.
using StringPairs = std::vector<std::pair<std::string, std::string>>;
std::string joinPairs(const StringPairs& pairs);
StringPairs splitPairs(std::string_view blob);

/// Site identities as 8 bytes each, least significant first.
std::string joinSites(const std::vector<SiteIdentity>& sites);
std::vector<SiteIdentity> splitSites(std::string_view blob);

/// The id of a set of scheduling points: "P-" and 16 hex digits.
std::string pointsSetId(const std::string& build, const std::vector<SiteIdentity>& sites);

/// The time in UTC, "2025-01-31T12:00:00Z".
std::string timestampNow();

} // namespace heddle
