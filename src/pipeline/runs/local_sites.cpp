#include "pipeline/runs/local_sites.h"

#include <string>

namespace heddle {

void LocalSites::leaveOut(PlanRequest& request, uint64_t checks) const {
  request.localSites = sites_;
  request.plan.localExecutions = checks;
}

void LocalSites::check(const SiteCatalog& sites, CommandNotes& notes) {
  std::string first;
  uint64_t refuted = 0;
  for (const SiteEntry& site : sites.entries()) {
    if (!(site.learned & kLearnedForeign))
      continue;
    if (refuted++ == 0)
      first = site.file + ":" + std::to_string(site.line);
  }
  refuted_ += refuted;
  if (refuted_ != 0)
    sites_.clear();
  if (refuted == 0)
    return;
  std::string others = refuted == 1 ? "" : " (and " + std::to_string(refuted - 1) + " more)";
  notes.addWarning("the static analysis takes " + first + others +
                   " for an access to memory of its own thread, and a run has seen it elsewhere. "
                   "Nothing is left out of recordings from here on: they take longer, and findings "
                   "stay as certain as they are. This is a mistake in heddle; please report it");
}

} // namespace heddle
