#pragma once

#include "model/site_catalog.h"
#include "pipeline/runs/command_context.h"

#include <memory>

namespace heddle {

/// The sites that are there at the entry of main; nothing of the program is run.
Result<std::shared_ptr<const SiteCatalog>> describeSites(CommandContext& context);

} // namespace heddle
