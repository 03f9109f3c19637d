#pragma once

#include "pipeline/check.h"

namespace heddle {

/// The sites of a program, with a report for machines.
struct SiteListing : CommandResult {
  std::shared_ptr<const SiteCatalog> sites;
};

/// `heddle sites`: starts the program up to the entry of main and reads its table.
Result<SiteListing> listSites(CommandContext& context);

/// The sites that are there at the entry of main; nothing of the program is run.
Result<std::shared_ptr<const SiteCatalog>> describeSites(CommandContext& context);

/// One line per site, grouped by file and function.
std::string siteListingText(const SiteCatalog& sites);

} // namespace heddle
