#pragma once

#include "control/batch_memory.h"
#include "model/site_catalog.h"
#include "pipeline/runs/command_notes.h"

#include <vector>

namespace heddle {

/// Sites that an analysis says to touch only memory of their own thread: recordings leave them out,
/// and check at the first executions whether it is true.
class LocalSites {
public:
  /// Identities, sorted.
  void set(std::vector<uint64_t> sites) { sites_ = std::move(sites); }
  /// Leaves them out of a recording; `checks`: executions of each that are looked at.
  void leaveOut(PlanRequest& request, uint64_t checks) const;
  /// Takes in what such a recording has seen of them: one that is not local takes the belief from
  /// all of them, and is warned of.
  void check(const SiteCatalog& sites, CommandNotes& notes);
  uint64_t refuted() const { return refuted_; }

private:
  std::vector<uint64_t> sites_;
  uint64_t refuted_ = 0;
};

} // namespace heddle
