#pragma once

#include "model/finding.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace heddle {

/// Rules of the SARIF report: one for each kind and status, because in SARIF precision belongs to
/// the rule and not to the result.
std::string sarifRuleId(FindingKind kind, FindingStatus status);

/// "error", "warning" or "note".
const char* sarifLevel(FindingKind kind, FindingStatus status);

/// The reportingDescriptor with short, full and help text.
nlohmann::ordered_json sarifRule(FindingKind kind, FindingStatus status);

} // namespace heddle
