#pragma once

#include "model/report.h"

#include <nlohmann/json_fwd.hpp>

namespace heddle {

/// Adds what a command tells beside its findings: the keys of docs/formats.md that are its own.
void addSummary(nlohmann::ordered_json& json, const Report& report);

} // namespace heddle
