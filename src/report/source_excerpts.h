#pragma once

#include "report/reporter.h"

#include <nlohmann/json_fwd.hpp>

namespace heddle {

/// The lines of source around everything that the findings of a report name, by file, as `sources`
/// of docs/formats.md. Files of the system only where a site or a step itself is in them. Files
/// that cannot be read are listed as missing.
nlohmann::ordered_json sourceExcerpts(const Report& report, const SourceReader& read);

/// A reader of real files. `program`: its executable; what was changed after it was built is
/// marked.
SourceReader sourceFileReader(const std::string& program);

} // namespace heddle
