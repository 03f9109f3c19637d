#pragma once

#include "model/finding.h"
#include "model/result.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace heddle {

/// A finding as JSON, with all of its fields in the order of docs/formats.md. What the store keeps
/// and what the JSON report shows is this same object.
nlohmann::ordered_json findingToJson(const Finding& finding);

/// The part of it that says which memory order is missing.
nlohmann::ordered_json missingOrderToJson(const MissingOrderInfo& missing);

/// The other direction; an error when a field is missing or of another type.
Result<Finding> findingFromJson(const nlohmann::ordered_json& json);

/// One line of text. Bytes that are not UTF-8 (a program's output) become U+FFFD.
std::string dumpJson(const nlohmann::ordered_json& json);

/// The same over several lines, indented by two.
std::string dumpJsonIndented(const nlohmann::ordered_json& json);

/// Parses JSON text of a finding, as dumpJson() wrote it.
Result<Finding> parseFindingJson(const std::string& text);

} // namespace heddle
