#pragma once

#include "pipeline/commands/command_result.h"
#include "pipeline/runs/captured_run.h"

namespace heddle {

/// The sites of a program, with a report for machines.
struct SiteListing : CommandResult {
  std::shared_ptr<const SiteCatalog> sites;
};

/// `heddle sites`: starts the program up to the entry of main and reads its table.
Result<SiteListing> listSites(CommandContext& context);

/// One line per site, grouped by file and function.
std::string siteListingText(const SiteCatalog& sites);

} // namespace heddle
