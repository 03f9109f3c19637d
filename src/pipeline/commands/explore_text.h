#pragma once

#include "explore/program_explorer.h"
#include "model/summary.h"

#include <string>

namespace heddle {

/// A place in the source that a user has named: FILE:LINE, the file by the end of its path.
struct SourcePlace {
  std::string file;
  uint32_t line = 0;
  bool isThatOf(const SiteEntry& site) const;
};
std::optional<SourcePlace> parseSourcePlace(const std::string& text);

/// A failure that an exploration came to, with its value schedule as ordered pairs.
ExploredFailure describeFailure(const explore::FoundFailure& failure, const SiteCatalog& sites);
/// The same as lines of text; of very many pairs the first ones.
std::vector<std::string> failureAsText(const ExploredFailure& failure);

} // namespace heddle
